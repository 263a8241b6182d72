import { MENU } from './menu.ts'
import type { LoadLimits } from './orders.ts'

/** The accounts and keys of the rounds: each limit has a key that it stops, and some keys have several. */

const CENT = 10_000_000n
const ONE = 1_000_000n

/** The group of which the targets fail at times. */
export const SHAKY = 'shaky'

/** Multipliers by name, in parts per million. No two are near each other, so that a wrong one is seen. */
export const MULTIPLIERS = { default: ONE, dear: 1_370_001n, narrow: 500_003n, [SHAKY]: 790_007n } as const

type GroupName = keyof typeof MULTIPLIERS

/** What the group `narrow` has of the menu. */
export const NARROW: ReadonlySet<string> = new Set(MENU.filter((_, index) => index % 2 === 0).map(({ name }) => name))

/** The group that each plan covers. */
export const PLANS = { small: 'default', unsteady: SHAKY } as const

/** The quotas of each plan. */
export const QUOTAS = [
  { window: '5h', usd: 22n * CENT },
  { window: '7d', usd: 30n * CENT },
] as const

export interface DeclaredKey {
  readonly name: string
  readonly group?: GroupName
  /** The next groups of the key, of which the last one serves: `closed` needs a plan that no account here has. */
  readonly fallbacks?: readonly (GroupName | 'closed')[]
  readonly quota?: bigint
  readonly quotaReset?: 'daily'
  readonly limits?: LoadLimits
}

export interface DeclaredAccount {
  readonly email: string
  readonly balance: bigint
  readonly plan?: keyof typeof PLANS
  readonly keys: readonly DeclaredKey[]
}

/** The account that is topped up again and again, and always near its end. */
export const POOR = 'poor@example.test'

const TO_DEAR = { group: SHAKY, fallbacks: ['closed', 'dear'] } as const

export const ACCOUNTS: readonly DeclaredAccount[] = [
  {
    email: 'rich@example.test',
    balance: 20_000n * CENT,
    keys: [
      { name: 'rich' },
      { name: 'rich-dear', group: 'dear' },
      { name: 'rich-narrow', group: 'narrow', fallbacks: ['closed', 'dear'] },
      { name: 'rich-shaky', ...TO_DEAR },
      { name: 'slots', limits: { concurrency: 2 } },
      { name: 'brisk', limits: { requestsPerMinute: 12 } },
      { name: 'brisk-shaky', ...TO_DEAR, limits: { requestsPerMinute: 12 } },
      { name: 'thrifty', limits: { tokensPerMinute: 3_000 } },
    ],
  },
  {
    email: 'capped@example.test',
    balance: 5_000n * CENT,
    keys: [
      { name: 'capped', quota: 6n * CENT, quotaReset: 'daily' },
      { name: 'capped-dear', group: 'dear', quota: 25n * CENT },
      { name: 'capped-shaky', ...TO_DEAR, quota: 9n * CENT, quotaReset: 'daily' },
      {
        name: 'spender',
        limits: {
          spend: [
            { window: '5h', usd: 15n * CENT },
            { window: '1d', usd: 40n * CENT },
          ],
        },
      },
      {
        name: 'tied-up',
        group: 'narrow',
        fallbacks: ['closed', 'dear'],
        quota: 20n * CENT,
        quotaReset: 'daily',
        limits: { concurrency: 3, spend: [{ window: '7d', usd: 50n * CENT }] },
      },
    ],
  },
  {
    email: POOR,
    balance: 4n * CENT,
    keys: [{ name: 'poor' }, { name: 'poor-too', group: 'dear' }, { name: 'poor-shaky', ...TO_DEAR }],
  },
  {
    email: 'member@example.test',
    balance: 30n * CENT,
    plan: 'small',
    keys: [
      { name: 'member', limits: { concurrency: 2, subscription: QUOTAS } },
      { name: 'roamer', group: 'dear' },
    ],
  },
  {
    email: 'guest@example.test',
    balance: 0n,
    plan: 'small',
    keys: [{ name: 'guest', limits: { subscription: QUOTAS } }],
  },
  // Of these two groups the plan covers one, so that others pay where the request goes on.
  {
    email: 'visitor@example.test',
    balance: 30n * CENT,
    plan: 'small',
    keys: [{ name: 'visitor', group: SHAKY, fallbacks: ['default'], limits: { concurrency: 2, subscription: QUOTAS } }],
  },
  {
    email: 'early@example.test',
    balance: 30n * CENT,
    plan: 'unsteady',
    keys: [{ name: 'early', ...TO_DEAR, limits: { concurrency: 2, subscription: QUOTAS } }],
  },
]
