import type { SetupStep } from '../../src/contract/setup.ts'

/** What stands beside the way to a first message, and is folded away. */
export const BESIDE = ['extra', 'without_file', 'keep'] as const

export function isBeside({ purpose }: SetupStep): boolean {
  return BESIDE.some((each) => each === purpose)
}
