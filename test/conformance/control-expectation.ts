import type { Account } from '../../src/access/account.ts'
import type { Asker, ControlUnderTest } from '../support/control-under-test.ts'
import type { Statuses } from './control-statuses.ts'

export interface Making {
  readonly control: ControlUnderTest
  readonly owner: Asker & { readonly account: Account }
  readonly admin: Asker
}

/** What one route answers to each kind of caller. */
export interface Expectation {
  readonly statuses: Statuses
  /** Makes what the path names, the owner's where it has one; returns the parameters by their names. */
  make?(making: Making): Promise<Readonly<Record<string, string>>>
  readonly body?: unknown
  query?(made: Readonly<Record<string, string>>): string
}
