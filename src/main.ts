import { runProcess } from './app/run-process.ts'

/** The process: ends with the code that its command returns. */
process.exitCode = await runProcess()
