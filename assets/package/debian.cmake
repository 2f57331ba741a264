# What Debian asks of a package beyond what is installed everywhere: compressed manuals and changelog, its own place for zsh.
# CPack runs this on the files that it is about to pack.
if(NOT CPACK_GENERATOR STREQUAL "DEB")
  return()
endif()
set(usr ${CPACK_TEMPORARY_DIRECTORY}/usr)
file(MAKE_DIRECTORY ${usr}/share/zsh/vendor-completions)
file(RENAME ${usr}/share/zsh/site-functions/_orrery ${usr}/share/zsh/vendor-completions/_orrery)
file(REMOVE_RECURSE ${usr}/share/zsh/site-functions)
file(COPY ${CPACK_ORRERY_CHANGELOG} DESTINATION ${usr}/share/doc/orrery FILE_PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ
     WORLD_READ)
file(GLOB_RECURSE manuals ${usr}/share/man/*.1)
execute_process(COMMAND gzip -9n ${manuals} ${usr}/share/doc/orrery/changelog COMMAND_ERROR_IS_FATAL ANY)
