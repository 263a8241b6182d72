import { readConfigureGlobal, configureGlobal } from 'fast-check'
import { SEED_OF_INTEGRATION } from './seed-of-integration.ts'

// For every test file, where continuous integration runs them: properties ask the same each time there. Everywhere else
// they ask something new, and one that fails says its seed.
configureGlobal({ ...readConfigureGlobal(), seed: SEED_OF_INTEGRATION })
