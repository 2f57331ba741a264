// Matrix products, one work group to a tile of 16 rows by 16 columns of the result. The work groups count along the
// tiles of a row. Operands come through shared memory, a tile at a time.

const uint TILE = 16u;

layout(local_size_x = 16, local_size_y = 16) in;

// Where the tile begins in a result that is `cols` wide.
uvec2 tile_first(uint cols) {
  uint tiles = (cols + TILE - 1u) / TILE;
  uint tile = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
  return uvec2(tile % tiles, tile / tiles) * TILE;
}

void tile_barrier() {
  memoryBarrierShared();
  barrier();
}
