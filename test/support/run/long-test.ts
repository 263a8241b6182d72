import { test } from 'vitest'
import { isLongSuite } from './suite.ts'

const nothing = Object.assign(() => {}, { each: () => () => {}, for: () => () => {} })

/** `test` for what belongs to the long suite alone: in the short one it registers nothing, so nothing is skipped. */
export const longTest: typeof test = isLongSuite ? test : (nothing as unknown as typeof test)
