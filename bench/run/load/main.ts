/** The load process: reads one LoadJob a line, answers one LoadReport a line, ends when its input ends. */
import { createInterface } from 'node:readline'
import type { LoadJob } from './job.ts'
import { runLoad } from './run-load.ts'

// The caller is gone.
process.stdout.on('error', () => process.exit(1))

for await (const line of createInterface({ input: process.stdin })) {
  // Written by the bench itself, so the shape is not checked again.
  const job = JSON.parse(line) as LoadJob
  const answer = await runLoad(job).catch((error: unknown) => ({ failure: String(error) }))
  process.stdout.write(`${JSON.stringify(answer)}\n`)
}
