import { suggestion } from '../../core/near-names.ts'
import { groupNote } from '../../control/audit/catalogue-notes.ts'
import { auditedChange } from '../audited-change.ts'
import type { CommandRun } from './command.ts'
import { CommandFailure } from './cli-host.ts'
import { reachNodes } from './reach-nodes.ts'
import { withStore } from './with-installation.ts'

/** The command `cache clear`: answers that were kept before are not given again, on any node, when it returns. */
export const clearCaches: CommandRun = (call, host) =>
  withStore(host, async (store) => {
    const groups = await store.groups.groups()
    const name = call.text('group')
    const meant = name === null ? groups : groups.filter((group) => group.name === name)
    if (name !== null && meant.length === 0) {
      const names = groups.map((group) => group.name)
      throw new CommandFailure(
        `There is no group "${name}"${suggestion(name, names) || `; there are ${names.join(', ')}.`}`,
      )
    }
    const keeping = meant.flatMap(({ cache, ...group }) => (cache === undefined ? [] : [{ ...group, cache }]))
    const nowMs = host.nowMs()
    const seq = await auditedChange({ store, nowMs }, async (stores, audit) => {
      let last: number | null = null
      for (const group of keeping) {
        // The rule of a moment later is another one, whatever the clock says.
        const since = Math.max(nowMs, group.cache.since + 1)
        const cleared = { ...group, cache: { ...group.cache, since } }
        const change = await stores.groups.putGroup(cleared)
        if (change !== null) await audit(groupNote(group, cleared))
        last = change?.seq ?? last
      }
      return last
    })
    const cleared = keeping.map((group) => group.name).join(', ')
    if (cleared === '') {
      host.print(name === null ? 'No group keeps answers.\n' : `The group ${name} keeps no answers.\n`)
      return 0
    }
    await reachNodes(seq, { store, host, done: `The response cache of ${cleared} is cleared` })
    host.print(`The response cache of ${cleared} is cleared.\n`)
    return 0
  })
