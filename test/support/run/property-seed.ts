import { readConfigureGlobal, configureGlobal } from 'fast-check'
import { fixedSeed } from './suite.ts'

// For every test file. A property that fails says its seed.
const seed = fixedSeed(process.env)
if (seed !== null) configureGlobal({ ...readConfigureGlobal(), seed })
