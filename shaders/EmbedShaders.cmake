# embed_shaders(out.cpp): every shaders/*.comp, display shader and lib/*.glsl as a constant in one generated source,
# made again when a shader changes.
set(EMBED_SHADERS_DIR ${CMAKE_CURRENT_LIST_DIR})

function(embed_shaders out)
  file(GLOB names CONFIGURE_DEPENDS RELATIVE ${EMBED_SHADERS_DIR} ${EMBED_SHADERS_DIR}/*.comp ${EMBED_SHADERS_DIR}/*.vert
       ${EMBED_SHADERS_DIR}/*.frag ${EMBED_SHADERS_DIR}/lib/*.glsl)
  set(text "// Generated from shaders/ by EmbedShaders.cmake.\n#include \"core/gpu/embedded_shaders.h\"\n\n")
  string(APPEND text "namespace orrery::gpu {\n\nconst EmbeddedShader embedded_shaders[] = {\n")
  foreach(name IN LISTS names)
    file(READ ${EMBED_SHADERS_DIR}/${name} body)
    string(APPEND text "    {\"${name}\", R\"glsl(${body})glsl\"},\n")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${EMBED_SHADERS_DIR}/${name})
  endforeach()
  string(APPEND text "};\nconst int embedded_shader_count = sizeof embedded_shaders / sizeof *embedded_shaders;\n\n}  // namespace orrery::gpu\n")
  file(CONFIGURE OUTPUT ${out} CONTENT "${text}" @ONLY)
endfunction()
