# The shared runtime needs no compiler library and exports only its C interface.
find_program(READELF readelf REQUIRED)
execute_process(COMMAND ${READELF} -d ${LIBRARY} OUTPUT_VARIABLE dynamic
                COMMAND_ERROR_IS_FATAL ANY)
if(NOT dynamic MATCHES "NEEDED")
  message(FATAL_ERROR "no dependencies listed:\n${dynamic}")
endif()
if(dynamic MATCHES "NEEDED[^\n]*(LLVM|MLIR)")
  message(FATAL_ERROR "depends on the compiler:\n${dynamic}")
endif()

execute_process(COMMAND ${READELF} --dyn-syms --wide ${LIBRARY}
                OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "(GLOBAL|WEAK) +DEFAULT +[0-9]+ [^\n]+" exported
       "${symbols}")
foreach(symbol IN LISTS exported)
  if(NOT symbol MATCHES " attnres_[a-z_]+$")
    message(FATAL_ERROR "exports more than its C interface: ${symbol}")
  endif()
endforeach()
list(LENGTH exported count)
if(NOT count EQUAL 10)
  message(FATAL_ERROR "expected 10 exported functions, got ${count}")
endif()
