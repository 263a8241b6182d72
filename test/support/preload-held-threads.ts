import { existsSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { workerData } from 'node:worker_threads'

// To be loaded before the program of a process of its own (`node --import`): its threads that carry requests beside the main
// one begin only once the file HELD_UNTIL is there.

const LOOK_MS = 20
const file = process.env['HELD_UNTIL']
const slot = (workerData as { slot?: object } | null)?.slot

if (file !== undefined && slot !== undefined) while (!existsSync(file)) await pause(LOOK_MS)
