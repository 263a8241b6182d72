import { runProcess } from './app/run-process.ts'

/** The process: ends with the code that its command answers. */
process.exitCode = await runProcess()
