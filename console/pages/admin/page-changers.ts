import type { Me } from '../../../src/contract/me.ts'

type Roles = readonly Me['role'][]

/** The roles that change something on a page of those who run the gateway; pages without changes are not among them. */
const CHANGERS: Readonly<Record<string, Roles>> = {
  upstreams: ['operator', 'admin'],
  groups: ['operator', 'admin'],
  models: ['operator', 'finance', 'admin'],
  accounts: ['finance', 'admin'],
  plans: ['finance', 'admin'],
  announcements: ['admin'],
  settings: ['admin'],
  system: ['admin'],
}

/** `path`: as the address has it, `/console` left out or not. null: nothing is changed there. */
export function changersOf(path: string): Roles | null {
  const page = /\/admin\/([a-z-]+)/.exec(path)?.[1]
  return page !== undefined && Object.hasOwn(CHANGERS, page) ? (CHANGERS[page] ?? null) : null
}
