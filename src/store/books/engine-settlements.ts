import type { NanoUsd } from '../../core/money.ts'
import { type Settlement, SettlementRefused, type SettlementStore } from '../../metering/settle/settlement.ts'
import type { Engine } from '../engine/engine.ts'
import { isRefusal } from '../engine/refusals.ts'
import { balanceBudget } from '../../metering/budgets/budget.ts'
import type { SettlementRows, SettlementValue } from '../engine/settlement-rows.ts'
import { pushRecord } from './usage-columns.ts'
import { otherChargesJson } from './usage-rows.ts'

/**
 * Brings settlements to the engine as plain rows, and says which failures waiting does not fix. A balance that falls below
 * `lowBalance` gives an alert; null: never.
 */
export function settlementsOn(engine: Engine, lowBalance: NanoUsd | null): SettlementStore {
  return {
    settle: async (batch, options) => {
      const rows = rowsOrRefusal(batch, lowBalance)
      try {
        return { overruns: await engine.settle(rows, { mayJournal: options?.mayJournal ?? false }) }
      } catch (error) {
        throw isRefusal(error) ? refused(error) : error
      }
    },
  }
}

function rowsOrRefusal(batch: readonly Settlement[], lowBalance: NanoUsd | null): SettlementRows {
  try {
    return settlementRows(batch, lowBalance)
  } catch (error) {
    throw refused(error)
  }
}

function refused(cause: unknown): SettlementRefused {
  return new SettlementRefused(cause instanceof Error ? cause.message : String(cause), { cause })
}

/** A batch as the engines take it. A balance that falls below `lowBalance` gives an alert. */
function settlementRows(batch: readonly Settlement[], lowBalance: NanoUsd | null): SettlementRows {
  const records: SettlementValue[] = []
  const charges: SettlementValue[] = []
  const payments: SettlementValue[] = []
  const storedResponses: SettlementValue[] = []
  let index = 0
  for (const settlement of batch) {
    const { record } = settlement
    const balanceId = balanceBudget(record.accountId).id
    pushRecord(records, record, otherChargesJson(settlement, balanceId))
    for (const { budgetId, leaseId, cost } of settlement.charges) {
      if (cost !== 0n) charges.push(index, budgetId, leaseId, cost)
    }
    if (record.balancePaid > 0n) payments.push(index, balanceId, record.balancePaid)
    const { storedResponse: stored } = settlement
    if (stored !== undefined) {
      for (const id of [stored.id, ...stored.items]) {
        storedResponses.push(record.accountId, id, stored.upstreamId, Math.round(record.createdAt))
      }
    }
    index += 1
  }
  return { count: batch.length, records, charges, payments, storedResponses, lowBalance }
}
