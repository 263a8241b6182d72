/** The load process of a soak: takes one StreamJob, answers one StreamReport, and ends. */
import { runStreamLoad, type StreamJob } from './stream-load.ts'

// The caller is gone.
process.once('disconnect', () => process.exit(1))

process.once('message', (job: StreamJob) => {
  void runStreamLoad(job).then((report) => process.send?.(report, () => process.exit(0)))
})
