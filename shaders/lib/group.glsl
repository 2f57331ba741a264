// Work groups of 256 in one line. They are dispatched as a grid of two dimensions, because each one alone
// may hold only 65535 of them; group_index() counts along the rows of that grid.

layout(local_size_x = 256) in;

const uint GROUP = 256u;

uint group_index() { return gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x; }

// For shaders with one invocation per element.
uint element_index() { return group_index() * GROUP + gl_LocalInvocationIndex; }
