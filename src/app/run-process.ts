import { runCommandLine } from './cli/command-line.ts'
import { processCliHost } from './cli/process-cli-host.ts'

/** Does what this process was started for, and returns the code that it should end with. */
export function runProcess(): Promise<number> {
  return runCommandLine(process.argv.slice(2), processCliHost())
}
