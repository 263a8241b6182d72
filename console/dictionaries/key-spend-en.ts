/** The words of the page that compares what keys spent. */
export const keySpendEn = {
  title: 'Spend by key',
  lead: 'What each key used in this period, compared with the same time before.',
  back: 'Usage',
  csv: 'Download CSV',
  list: 'Keys by spend',
  columns: {
    key: 'Key',
    requests: 'Requests',
    tokens: 'Tokens',
    cost: 'Spent',
    share: 'Share',
    change: 'Change',
  },
  keyGone: (id: string) => `Deleted key ${id}`,
  failed: (count: string) => `${count} failed`,
  fresh: 'New',
  same: 'About the same',
  before: (amount: string) => `Before: ${amount}`,
  none: 'No requests in this period',
  noneText: 'Choose another period, or see all requests on the Usage page.',
  inAll: (amount: string, from: string, to: string) => `Total: ${amount}, from ${from} to ${to}`,
}

export type KeySpendTexts = typeof keySpendEn
