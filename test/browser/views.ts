import { ACCOUNT } from './views/account-views.ts'
import { ADMIN } from './views/admin-views.ts'
import { DIAGNOSE } from './views/diagnose-views.ts'
import { KEYS } from './views/keys-views.ts'
import { MONEY } from './views/money-views.ts'
import { OFFICE } from './views/office-views.ts'
import { OUTSIDE } from './views/outside-views.ts'
import { SHELL } from './views/shell-views.ts'
import { START } from './views/start-views.ts'

/** Every page, and whatever opens on one. */
export const VIEWS = {
  start: START,
  keys: KEYS,
  money: MONEY,
  account: ACCOUNT,
  diagnose: DIAGNOSE,
  admin: ADMIN,
  office: OFFICE,
  shell: SHELL,
  outside: OUTSIDE,
} as const
