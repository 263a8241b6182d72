import type { AccountView } from '../../../src/contract/accounts.ts'

/** The roles of accounts, the least powerful first. */
export const ROLES: readonly AccountView['role'][] = ['user', 'auditor', 'operator', 'finance', 'admin']
