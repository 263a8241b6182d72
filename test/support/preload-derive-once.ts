import { deriveOnce } from './derive-once.ts'

// To be loaded before the program of a process of its own: `node --import`.
deriveOnce()
