import { runCommandLine } from './app/cli/command-line.ts'
import { processWorld } from './app/cli/process-world.ts'

/** The process: hands its arguments and its surroundings to the command line, and ends with the code that it answers. */
process.exitCode = await runCommandLine(process.argv.slice(2), processWorld())
