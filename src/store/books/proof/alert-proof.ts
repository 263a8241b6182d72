import { isAdminAlert } from '../../../core/alert-kinds.ts'
import { isEndingAlert } from '../../../alerts/ending-alert.ts'
import { type AlertPercent, ALERT_PERCENTS } from '../../../alerts/alert.ts'
import { balanceBudget } from '../../../metering/budgets/budget.ts'
import type { TablesTransaction } from '../../engine/database.ts'
import { alertId, lowBalanceId, reaches } from '../alert-lines.ts'
import type { StoredBudget } from '../budget-rows.ts'
import type { StoredAlert } from '../reading.ts'
import { type Findings, usd } from './findings.ts'

/**
 * No alert says that a line was crossed, or a balance low, when it was not. Two things are not in the books, so they
 * are taken as said: that a limit was once another than it is now, and that a request needed more than what was left, which
 * is an alert of 100 % with less than that used.
 */
export class AlertProof {
  readonly #findings: Findings

  constructor(findings: Findings) {
    this.#findings = findings
  }

  async readAlerts(alerts: readonly StoredAlert[], transaction: TablesTransaction): Promise<void> {
    if (!this.#findings.isFirstReading) return
    await this.#readLines(
      alerts.filter(({ kind }) => kind !== 'low_balance' && !isEndingAlert(kind) && !isAdminAlert(kind)),
      transaction,
    )
    await this.#readLowBalances(
      alerts.filter((alert) => alert.kind === 'low_balance'),
      transaction,
    )
  }

  async #readLines(alerts: readonly StoredAlert[], transaction: TablesTransaction): Promise<void> {
    const budgets = await budgetsOf(alerts.map(budgetIdOf), transaction)
    for (const alert of alerts) {
      const budget = budgets.get(budgetIdOf(alert))
      if (budget === undefined || !fits(alert, budget)) {
        this.#say(alert, 'it is about no budget that is there')
        continue
      }
      const [used, limit] = [alert.used_nano, alert.limit_nano]
      if (alert.percent !== 100 && !reaches({ limit, used }, alert.percent ?? 0)) {
        this.#say(alert, `${usd(used)} is not ${alert.percent} % of ${usd(limit)}`)
      }
      // What is used only grows.
      if (budget.used_nano < used) {
        this.#say(alert, `it says ${usd(used)} is used, the budget says ${usd(budget.used_nano)}`)
      }
    }
  }

  async #readLowBalances(alerts: readonly StoredAlert[], transaction: TablesTransaction): Promise<void> {
    const balances = await balancesAfter(alerts, transaction)
    for (const alert of alerts) {
      const balance = alert.limit_nano - alert.used_nano
      const said = balances.get(alert.id)
      if (said === undefined) this.#say(alert, `account ${alert.subject_id} has no such ledger entry`)
      else if (said !== balance) {
        this.#say(alert, `it says a balance of ${usd(balance)}, the ledger entry says ${usd(said)}`)
      }
    }
  }

  #say(alert: StoredAlert, sentence: string): void {
    this.#findings.say(`alert ${alert.id}: ${sentence}`)
  }
}

/** What stands before the limit and the line. */
function budgetIdOf({ id }: StoredAlert): string {
  return id.split(':').slice(0, -2).join(':')
}

function fits(alert: StoredAlert, budget: StoredBudget): boolean {
  const isLine = ALERT_PERCENTS.includes(alert.percent as AlertPercent)
  const isOfIt = budget.kind === alert.kind && budget.subject_id === alert.subject_id
  const hasItsId = alert.id === alertId(budget.id, alert.limit_nano, alert.percent ?? 0)
  return isLine && isOfIt && hasItsId && budget.window_ms === alert.window_ms
}

async function budgetsOf(
  ids: readonly string[],
  transaction: TablesTransaction,
): Promise<ReadonlyMap<string, StoredBudget>> {
  if (ids.length === 0) return new Map()
  const rows = await transaction.selectFrom('budgets').selectAll().where('id', 'in', ids).execute()
  return new Map(rows.map((row) => [row.id, row]))
}

/** The balance after the ledger entry that each alert names. */
async function balancesAfter(
  alerts: readonly StoredAlert[],
  transaction: TablesTransaction,
): Promise<ReadonlyMap<string, bigint>> {
  if (alerts.length === 0) return new Map()
  const rows = await transaction
    .selectFrom('ledger_entries')
    .select(['account_id', 'seq', 'balance_after_nano'])
    .where((entry) =>
      entry.or(
        alerts.map((alert) =>
          entry.and([entry('account_id', '=', alert.subject_id), entry('seq', '=', entryNumberOf(alert))]),
        ),
      ),
    )
    .execute()
  return new Map(
    rows.map((row) => [lowBalanceId(balanceBudget(row.account_id).id, BigInt(row.seq)), row.balance_after_nano]),
  )
}

function entryNumberOf({ id }: StoredAlert): number {
  const number = Number(id.slice(id.lastIndexOf(':') + 1))
  return Number.isSafeInteger(number) ? number : 0
}
