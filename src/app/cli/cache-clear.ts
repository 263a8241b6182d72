import { suggestion } from '../../core/near-names.ts'
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
    let seq: number | null = null
    for (const group of keeping) {
      // The rule of a moment later is another one, whatever the clock says.
      const since = Math.max(host.nowMs(), group.cache.since + 1)
      const change = await store.groups.putGroup({ ...group, cache: { ...group.cache, since } })
      seq = change?.seq ?? seq
    }
    const cleared = keeping.map((group) => group.name).join(', ')
    if (cleared === '') {
      host.print(name === null ? 'No group keeps answers.\n' : `The group ${name} keeps no answers.\n`)
      return 0
    }
    await reachNodes(seq, { store, host, done: `The response cache of ${cleared} is cleared` })
    host.print(`The response cache of ${cleared} is cleared.\n`)
    return 0
  })
