import { runCommandLine } from './cli/command-line.ts'
import { processWorld } from './cli/process-world.ts'

/** Does what this process was started for, and answers the code that it should end with. */
export function runProcess(): Promise<number> {
  return runCommandLine(process.argv.slice(2), processWorld())
}
