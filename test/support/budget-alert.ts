import { parseUsd } from '../../src/core/money.ts'
import type { BudgetAlert } from '../../src/alerts/alert.ts'

/** An alert that 80 % of a key's daily quota is used. */
export function aBudgetAlert(over: Partial<BudgetAlert> = {}): BudgetAlert {
  return {
    id: 'key:key_1:daily:1795219200000:5000000000:80',
    kind: 'key_quota',
    accountId: 'acc_1',
    accountEmail: 'ada@example.test',
    subjectId: 'key_1',
    subjectName: 'laptop',
    percent: 80,
    limit: parseUsd('5'),
    used: parseUsd('4.000000001'),
    window: null,
    resetsAt: Date.UTC(2026, 10, 22),
    createdAt: Date.UTC(2026, 10, 21, 12, 0, 0, 5),
    ...over,
  }
}
