/** The load process of a soak: runs a StreamJob. */
import { answerJobs } from '../job-process.ts'
import { runStreamLoad } from './stream-load.ts'

answerJobs(runStreamLoad)
