import type { KeyWithOwner } from '../../access/api-key.ts'
import { stopOf } from '../../access/key-stop.ts'
import type { FaultCode } from '../../core/faults.ts'
import { callableModels, type Moment } from '../../entitlement/callable-models.ts'
import { readFunds } from '../../entitlement/key-funds.ts'
import { verdictOn } from '../../entitlement/key-verdict.ts'
import type { BudgetStore } from '../../metering/budgets/budget.ts'

export interface KeyVerdict {
  /** The fault that a request would get now; null: it would be let through. */
  readonly fault: FaultCode | null
  readonly detail: string
  /** Names of what it can call now, whatever is left of its money. */
  readonly models: readonly string[]
}

/** Whether a key could call now, as the gateway would judge it, without sending anything. */
export async function judgeKey(of: KeyWithOwner, moment: Moment, budgets: BudgetStore): Promise<KeyVerdict> {
  const { catalogue, nowMs } = moment
  const fault = verdictOn(of, await readFunds(of, { catalogue, budgets }, nowMs), moment)
  const isStopped = stopOf(of, nowMs) !== null
  const models = isStopped ? [] : callableModels(of, moment).map(({ model }) => model.name)
  return { fault: fault?.code ?? null, detail: fault?.message ?? goodNews(of, models), models }
}

function goodNews({ key }: KeyWithOwner, models: readonly string[]): string {
  const count = models.length === 1 ? '1 model' : `${models.length} models`
  const where = key.allowedIps.length === 0 ? '' : ' from one of its allowed addresses'
  return `A request with this key${where} would be let through now, to ${count}.`
}
