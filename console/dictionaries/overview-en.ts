import { plural } from './plural.ts'

export const texts = {
  lead: 'Your balance, your spending, and what needs your attention.',
  setUp: 'Set up a client',
  asOf: (time: string) => `As of ${time}`,
  balance: {
    title: 'Balance',
    daysLeft: (days: string) => plural(Number(days), { one: '1 day left', other: `${days} days left` }),
    yearsLeft: 'Lasts for years',
    atPace: (perDay: string) => `at ${perDay}/day, the average of the last 7 days`,
    noPace: 'Not used in the last 7 days.',
    usedUp: 'Used up. Requests not covered by a subscription are refused.',
    held: (amount: string) => `${amount} reserved for requests in progress`,
    add: 'Add credit',
  },
  spend: {
    title: 'Spending',
    today: 'Today',
    last_7_days: 'Last 7 days',
    this_month: 'This month',
    before: {
      today: (amount: string) => `${amount} by this time yesterday`,
      last_7_days: (amount: string) => `${amount} the week before`,
      this_month: (amount: string) => `${amount} by this day last month`,
    },
    requests: (count: number, shown: string) => plural(count, { one: '1 request', other: `${shown} requests` }),
    failed: (count: number, shown: string) => plural(count, { one: '1 failed', other: `${shown} failed` }),
    same: 'no change',
    days: 'Spending per day, last 30 days',
    sparkline: (total: string, day: string, most: string) =>
      `${total} in the last 30 days; the most on one day was ${most}, on ${day}.`,
    dearest: (day: string, most: string) => `Peak: ${most}, ${day}`,
    noDays: 'No spending in the last 30 days.',
  },
  keys: {
    title: 'Keys near a limit',
    none: 'No key is near a limit or about to expire.',
    expires: (when: string) => `Expires ${when}`,
    expired: (when: string) => `Expired ${when}`,
    quota: (used: string, limit: string) => `${used} of ${limit} quota used`,
    spend: (used: string, limit: string, window: string) => `${used} of ${limit} per ${window} used`,
    windows: { '5h': '5 hours', '1d': 'day', '7d': '7 days', '30d': '30 days' },
    resets: (when: string) => `resets ${when}`,
    all: 'All keys',
  },
  requests: {
    title: 'Latest requests',
    lead: 'Last 10, failures first.',
    none: 'No requests yet.',
    all: 'All requests',
  },
  subscriptions: { title: 'Subscriptions', all: 'Billing' },
  alerts: { title: 'Alerts' },
  gateway: {
    title: 'Gateway',
    serving: 'Running',
    draining: 'Shutting down: finishing requests in progress, accepting no new ones',
    version: (version: string) => `Version ${version}`,
  },
}

export type OverviewTexts = typeof texts
