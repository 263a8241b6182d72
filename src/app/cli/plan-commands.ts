import { plan } from '../../contract/billing.ts'
import type { Plan } from '../../metering/funds/plan.ts'
import type { Store } from '../../store/store.ts'
import { suggestion } from '../../core/near-names.ts'
import type { CommandRun } from './command.ts'
import { listOwn } from './own-routes.ts'
import { printRows } from './print-rows.ts'
import { withStore } from './with-installation.ts'
import { CommandFailure } from './cli-host.ts'

export const listPlans: CommandRun = (call, host) =>
  withStore(host, async (store) => {
    const rows = await listOwn('/api/plans', plan, { store, host })
    return printRows(
      rows,
      {
        ID: 'id',
        NAME: 'name',
        GROUPS: ({ groups, opens_groups: isOpen }) => `${groups.join(', ')}${isOpen ? '' : ' (opens none)'}`,
        DAYS: ({ days }) => String(days),
        PRICE: ({ price }) => `$${price}`,
        QUOTAS: ({ quotas }) => quotas.map(({ window, usd }) => `$${usd} in ${window}`).join(', ') || 'unlimited',
      },
      { call, host },
    )
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
