import type { RouteAnswer, RouteAsked } from '../../contract/route.ts'
import { answerRoute } from '../../control/explain/explain-route.ts'
import { systemClock } from '../../core/clock.ts'
import type { RouteReason } from '../../core/route-reasons.ts'
import { WIRE_NAMES } from '../../core/wire.ts'
import { explainRoute } from '../../gateway/explain-route.ts'
import { LearnedRefusals } from '../../gateway/learned-refusals.ts'
import { KeyLimits } from '../../metering/limits/key-limits.ts'
import { createDemoUpstream } from '../../upstreams/demo-upstream.ts'
import { sentenceOfObstacle } from '../../upstreams/why-unreachable.ts'
import type { OpenInstallation } from '../opening/open-installation.ts'
import { SnapshotKeeper } from '../server/snapshot-keeper.ts'
import { askGateway, goodBody } from './ask-gateway.ts'
import { CommandFailure, type CliHost, UsageError } from './cli-host.ts'
import type { Invocation, CommandRun } from './command.ts'
import { textTable } from './print-rows.ts'
import { withInstallation } from './with-installation.ts'

const ANSWER_WITHIN_MS = 10_000

/**
 * Says where a request would go. A running gateway (`--base-url`) says it with what it has learned of its upstreams; without
 * one, the database says it alone, as a gateway that has just started would see it.
 */
export const routeExplain: CommandRun = async (call, host) => {
  const asked = readAsked(call)
  const url = call.text('base-url')
  if (url !== null) return show(await byGateway(asked, url, host), call, host)
  return withInstallation(host, async (installation) => {
    const status = show(await byDatabase(asked, installation, host), call, host)
    host.remark('As a gateway that has just started sees it; --base-url asks a running one.\n')
    return status
  })
}

/** Returns the exit code: 1 where the request would be refused. */
function show(answer: RouteAnswer, call: Invocation, host: CliHost): number {
  if (call.has('json')) host.print(`${JSON.stringify(answer)}\n`)
  else print(answer, host)
  return answer.fault === null ? 0 : 1
}

function readAsked(call: Invocation): RouteAsked {
  const named = call.text('protocol') ?? 'openai-chat'
  const protocol = WIRE_NAMES.find((wire) => wire === named)
  if (protocol === undefined) {
    throw new UsageError(`--protocol is ${JSON.stringify(named)}, but it must be one of ${WIRE_NAMES.join(', ')}.`)
  }
  const [account, key] = [call.text('account'), call.text('key')]
  if (key === null && account === null) throw new UsageError('Give --key, or --account where it has one key.')
  return {
    model: call.required('model'),
    protocol,
    ...(account === null ? {} : { account }),
    ...(key === null ? {} : { key }),
  }
}

async function byDatabase(asked: RouteAsked, { store, sealer }: OpenInstallation, host: CliHost): Promise<RouteAnswer> {
  const learnedRefusals = new LearnedRefusals({ clock: systemClock })
  const snapshots = new SnapshotKeeper({
    refusals: learnedRefusals,
    groups: store.groups,
    catalog: store.catalog,
    announcements: store.announcements,
    openCredential: (sealed) => sealer.open(sealed),
    demoUpstream: () => createDemoUpstream({ clock: systemClock }),
    onError: (upstream) => host.remark(`The upstream ${upstream} cannot be used as it is configured.\n`),
  })
  await snapshots.reload()
  const unused = new KeyLimits({ clock: systemClock, share: () => ({ index: 0, count: 1 }) })
  try {
    return await answerRoute(
      asked,
      { actor: { kind: 'admin_token' }, nowMs: host.nowMs() },
      {
        store,
        limitStates: (of) => unused.statesNow(of),
        explainRoute: (question) =>
          explainRoute(question, {
            snapshot: snapshots.current,
            now: systemClock.elapsed(),
            random: Math.random,
            learnedRefusals,
          }),
      },
    )
  } catch (error) {
    // A problem of the console API says what is wrong and what to do.
    throw error instanceof Error && error.name === 'Problem' ? new CommandFailure(error.message) : error
  } finally {
    await snapshots.close()
  }
}

async function byGateway(asked: RouteAsked, baseUrl: string, host: CliHost): Promise<RouteAnswer> {
  const { model, protocol, account, key } = asked
  const query = new URLSearchParams({ model, protocol })
  if (account !== undefined) query.set('account', account)
  if (key !== undefined) query.set('key', key)
  const path = `/api/route?${query.toString()}` as const
  const answer = await askGateway(host, { baseUrl, method: 'GET', path, withinMs: ANSWER_WITHIN_MS })
  return goodBody(answer, baseUrl) as RouteAnswer
}

const WORDS: Readonly<Record<RouteReason, string>> = {
  taken: 'taken',
  affinity: 'taken: its conversation stays there',
  panic: 'taken although it rests: too few others are well',
  hedge: 'taken beside one that let wait',
  not_needed: 'well, and asked only when those before fail',
  doubt: 'in doubt after failures: few requests ask it while others are well',
  cooling: 'skipped: it rests after failures',
  held: 'skipped: its credential was refused',
  disabled: 'skipped: disabled',
  group: 'skipped: not for this group',
  margin: 'skipped: the margin would be too small',
  capability: 'skipped: it does not speak the protocol',
  owner: 'skipped: another one keeps what is named',
  load: 'skipped: busier than the others, or full',
  cap: 'skipped: it has spent what it may',
  retries: 'skipped: too many retries there',
  unusable: 'skipped: it cannot be used as it is configured',
}

function wordsOf({
  attempt,
  reason,
  rest_seconds: seconds,
  wait_ms: waitMs,
}: RouteAnswer['candidates'][number]): string {
  // A rest that is a guess is cut short where nothing else is well: how long it would last says nothing of the wait.
  if (waitMs !== null) return WORDS[reason].replace('skipped:', `waited for, ${waitMs} ms at most:`)
  if (attempt === null && reason === 'not_needed') return 'well, and not asked: a request asks three at most'
  return WORDS[reason] + (seconds === null ? '' : ` (${seconds} s more)`)
}

function learnedWords({ setting, value, refused_at: at, said }: RouteAnswer['candidates'][number]['learned'][number]) {
  const what = value === null ? setting : `${setting} ${value}`
  return `learned: leaves out ${what} (refused at ${at.slice(11, 16)} UTC: '${said}')`
}

function limitLine({ of, type, used, limit, resets_at: at }: RouteAnswer['limits'][number], nowMs: number): string {
  const wait = at === null ? '' : `, all free in ${Math.max(0, Math.ceil((Date.parse(at) - nowMs) / 1_000))} s`
  return `${of} ${type}: ${used} of ${limit} used${wait}`
}

function print(answer: RouteAnswer, host: CliHost): void {
  const { fault, detail, group, multiplier } = answer
  host.print(`${answer.model} over ${answer.protocol} with the key ${answer.key_name} (${answer.key_id})\n`)
  if (fault !== null) host.print(`refused: ${fault}: ${detail}\n`)
  if (group !== null) host.print(`group ${group}, multiplier ${multiplier}\n`)
  for (const limit of answer.limits) host.print(`${limitLine(limit, host.nowMs())}\n`)
  if (answer.candidates.length === 0) return
  const beside = answer.candidates.find((each) => each.hedge)
  if (answer.hedge_after_ms !== null && beside !== undefined) {
    host.print(`after ${answer.hedge_after_ms} ms without an answer, ${beside.upstream} is asked beside the first\n`)
  }
  const rows = answer.candidates.map((each) => [
    each.attempt === null ? '–' : String(each.attempt),
    each.upstream,
    each.model ?? '–',
    String(each.priority),
    String(each.weight),
    each.group === null ? '–' : `${each.group} × ${each.multiplier}`,
    [
      wordsOf(each),
      ...(each.why === null ? [] : [sentenceOfObstacle(each.why)]),
      ...each.shadow.map((rule) => `would be skipped: ${rule} (shadow)`),
      ...each.learned.map(learnedWords),
    ].join('; '),
  ])
  host.print(textTable([['ATTEMPT', 'UPSTREAM', 'MODEL', 'PRIORITY', 'WEIGHT', 'GROUP', 'WHY'], ...rows]))
}
