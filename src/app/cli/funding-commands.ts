import type { Command, Flag } from './command.ts'

const json: Flag = { meaning: 'print the result as JSON' }
const jsonList: Flag = { meaning: 'print a JSON list' }
const days: Flag = { value: 'N', meaning: 'the number of days; default: those of the plan' }

/** The commands about plans, subscriptions and redeem codes. */
export const FUNDING_COMMANDS: readonly Command[] = [
  {
    words: 'plan list',
    summary: 'list plans with what they cover and cost',
    flags: { json: jsonList },
    load: async () => (await import('./subscription-commands.ts')).listPlans,
  },
  {
    words: 'subscription create',
    summary: 'open a subscription to a plan for an account',
    operand: 'EMAIL PLAN',
    flags: {
      'starts-at': {
        value: 'TIME|7d',
        meaning: 'an RFC 3339 time, or days, hours or minutes from now; default: now',
      },
      days,
      json,
    },
    load: async () => (await import('./subscription-commands.ts')).createSubscription,
  },
  {
    words: 'subscription renew',
    summary: 'extend a subscription: from its end, or from now when it has ended',
    operand: 'ID',
    flags: { days, json },
    load: async () => (await import('./subscription-commands.ts')).renewSubscription,
  },
  {
    words: 'subscription cancel',
    summary: 'end a subscription for good; returns once every running gateway acts on it',
    operand: 'ID',
    flags: { json },
    load: async () => (await import('./subscription-commands.ts')).cancelSubscription,
  },
  {
    words: 'subscription list',
    summary: 'list an account’s subscriptions with their usage, newest first',
    operand: 'EMAIL',
    flags: { json: jsonList },
    load: async () => (await import('./subscription-commands.ts')).listSubscriptions,
  },
  {
    words: 'redeem-code create',
    summary: 'create codes for a balance or a plan and print them, which is done only once',
    flags: {
      usd: { value: 'USD', meaning: 'the amount that each adds to a balance, such as 12.50' },
      plan: { value: 'NAME', meaning: 'the plan that each opens, instead of --usd' },
      count: { value: 'N', meaning: 'how many codes; default: 1' },
      'expires-at': {
        value: 'TIME|30d',
        meaning: 'the end of the codes: an RFC 3339 time, or days, hours or minutes from now; default: never',
      },
      note: { value: 'TEXT', meaning: 'a note that is shown in the list' },
      json: { meaning: 'print the codes as JSON' },
    },
    load: async () => (await import('./redeem-commands.ts')).createRedeemCodes,
  },
  {
    words: 'redeem-code list',
    summary: 'list redeem codes with their status, newest first',
    flags: { json: jsonList },
    load: async () => (await import('./redeem-commands.ts')).listRedeemCodes,
  },
  {
    words: 'redeem-code delete',
    summary: 'delete an unused redeem code',
    operand: 'ID',
    load: async () => (await import('./redeem-commands.ts')).deleteRedeemCode,
  },
  {
    words: 'redeem',
    summary: 'redeem a code for an account',
    operand: 'CODE',
    flags: { account: { value: 'ADDRESS', meaning: 'the email address of the account', isRequired: true }, json },
    load: async () => (await import('./redeem-commands.ts')).redeem,
  },
]
