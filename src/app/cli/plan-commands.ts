import { plan } from '../../contract/billing.ts'
import type { Plan } from '../../metering/funds/plan.ts'
import type { Store } from '../../store/store.ts'
import { suggestion } from '../../core/near-names.ts'
import type { CommandRun } from './command.ts'
import { listOwn } from './own-routes.ts'
import { textTable } from './text-table.ts'
import { withStore } from './with-installation.ts'
import { CommandFailure } from './cli-host.ts'

export const listPlans: CommandRun = (call, host) =>
  withStore(host, async (store) => {
    const rows = await listOwn('/api/plans', { row: plan, most: Infinity }, { store, host })
    if (call.has('json')) {
      host.print(`${JSON.stringify(rows)}\n`)
      return 0
    }
    const cells = rows.map((row) => [
      row.id,
      row.name,
      `${row.groups.join(', ')}${row.opens_groups ? '' : ' (opens none)'}`,
      String(row.days),
      `$${row.price}`,
      row.quotas.map(({ window, usd }) => `$${usd} in ${window}`).join(', ') || 'unlimited',
    ])
    host.print(textTable([['ID', 'NAME', 'GROUPS', 'DAYS', 'PRICE', 'QUOTAS'], ...cells]))
    return 0
  })

/** Throws CommandFailure when there is none of this name. */
export async function planNamed(store: Pick<Store, 'plans'>, name: string): Promise<Plan> {
  const plans = await store.plans.plans()
  const found = plans.find((each) => each.name === name)
  if (found !== undefined) return found
  const names = plans.map((each) => each.name)
  const hint = suggestion(name, names) || `; there are ${names.join(', ') || 'none: add it to the declarative file'}.`
  throw new CommandFailure(`There is no plan "${name}"${hint}`)
}
