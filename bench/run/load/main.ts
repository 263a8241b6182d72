/** The load process: runs one LoadJob after the other. */
import { answerJobs } from '../../job-process.ts'
import { runLoad } from './run-load.ts'

answerJobs(runLoad)
