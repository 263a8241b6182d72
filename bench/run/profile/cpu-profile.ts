/** Reads what V8's sampling profiler wrote (`.cpuprofile`) and sums it up, for one stretch of time. */

/** The parts of the file that are used here. Times in microseconds of the machine's monotonic clock. */
export interface CpuProfile {
  readonly startTime: number
  readonly nodes: readonly ProfileNode[]
  readonly samples: readonly number[]
  /** Time from one sample to the next; the first from `startTime`. */
  readonly timeDeltas: readonly number[]
}

export interface ProfileNode {
  readonly id: number
  readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number }
  readonly children?: readonly number[]
  readonly positionTicks?: readonly { readonly line: number; readonly ticks: number }[]
}

export interface FunctionPlace {
  /** Empty for a function without one. */
  readonly name: string
  readonly url: string
  /** Counted from 1; 0 where there is no source. */
  readonly line: number
}

/** One function, wherever it was called from. */
export interface FunctionTime extends FunctionPlace {
  /** Time in the function itself. */
  readonly selfUs: number
  /** Time in it and in everything that it called. */
  readonly totalUs: number
  /** The line with most of the self time, over the whole profile; 0 when unknown. */
  readonly hottestLine: number
  /** Self time by the nearest caller that is our own code. */
  readonly onBehalfOf: readonly (FunctionPlace & { readonly us: number })[]
}

export interface ThreadTimes {
  /** All time that wasn't idle. */
  readonly busyUs: number
  readonly functions: readonly FunctionTime[]
}

export interface Stretch {
  readonly fromUs: number
  readonly toUs: number
}

/** Names that V8 gives to what is not a function, and that are not work. */
const NOT_WORK = new Set(['(idle)', '(root)'])

/** Sums up the samples inside the stretch. `isOwn` says whether the file at a URL is ours. */
export function sumProfile(profile: CpuProfile, stretch: Stretch, isOwn: (url: string) => boolean): ThreadTimes {
  const selfUs = selfTimes(profile, stretch)
  const tree = new CallTree(profile, isOwn)
  const functions = new Map<string, Sum>()
  let busyUs = 0
  for (const [id, us] of selfUs) {
    const node = tree.node(id)
    if (node === undefined || NOT_WORK.has(node.callFrame.functionName)) continue
    busyUs += us
    const self = sumOf(functions, node)
    self.selfUs += us
    const owner = tree.nearestOwnCaller(id)
    if (owner !== undefined) self.owners.set(owner, (self.owners.get(owner) ?? 0) + us)
    for (const each of tree.distinctFunctions(id)) sumOf(functions, each).totalUs += us
  }
  for (const node of profile.nodes) {
    const sum = functions.get(keyOf(node))
    for (const { line, ticks } of node.positionTicks ?? []) sum?.lines.set(line, (sum.lines.get(line) ?? 0) + ticks)
  }
  return { busyUs, functions: [...functions.values()].map(finish) }
}

/** Microseconds by node: a sample lasts until the next one. */
function selfTimes(profile: CpuProfile, { fromUs, toUs }: Stretch): Map<number, number> {
  const times = new Map<number, number>()
  let at = profile.startTime
  for (const [i, id] of profile.samples.entries()) {
    at += profile.timeDeltas[i] ?? 0
    const lasts = profile.timeDeltas[i + 1] ?? 0
    // The clock of the samples runs backwards at times, by a few microseconds.
    if (at >= fromUs && at < toUs && lasts > 0) times.set(id, (times.get(id) ?? 0) + lasts)
  }
  return times
}

class CallTree {
  readonly #nodes: Map<number, ProfileNode>
  readonly #parents = new Map<number, number>()
  readonly #isOwn: (url: string) => boolean

  constructor(profile: CpuProfile, isOwn: (url: string) => boolean) {
    this.#isOwn = isOwn
    this.#nodes = new Map(profile.nodes.map((node) => [node.id, node]))
    for (const node of profile.nodes) for (const child of node.children ?? []) this.#parents.set(child, node.id)
  }

  node(id: number): ProfileNode | undefined {
    return this.#nodes.get(id)
  }

  /** The node and its callers, from the inside out. */
  #upwards(id: number): ProfileNode[] {
    const stack: ProfileNode[] = []
    for (let at: number | undefined = id; at !== undefined; at = this.#parents.get(at)) {
      const node = this.#nodes.get(at)
      if (node !== undefined && node.callFrame.functionName !== '(root)') stack.push(node)
    }
    return stack
  }

  nearestOwnCaller(id: number): ProfileNode | undefined {
    const own = this.#upwards(id).find((node) => this.#isOwn(node.callFrame.url))
    return own?.id === id ? undefined : own
  }

  /** Each function of the stack once, so that recursion isn't counted twice. */
  distinctFunctions(id: number): Iterable<ProfileNode> {
    return new Map(this.#upwards(id).map((node) => [keyOf(node), node])).values()
  }
}

interface Sum {
  readonly node: ProfileNode
  selfUs: number
  totalUs: number
  readonly owners: Map<ProfileNode, number>
  readonly lines: Map<number, number>
}

function keyOf({ callFrame: { functionName, url, lineNumber } }: ProfileNode): string {
  return `${functionName}\n${url}\n${lineNumber}`
}

function sumOf(sums: Map<string, Sum>, node: ProfileNode): Sum {
  const key = keyOf(node)
  const sum = sums.get(key) ?? { node, selfUs: 0, totalUs: 0, owners: new Map(), lines: new Map() }
  sums.set(key, sum)
  return sum
}

function finish({ node, selfUs, totalUs, owners, lines }: Sum): FunctionTime {
  const byOwner = new Map<string, FunctionPlace & { us: number }>()
  for (const [owner, us] of owners) {
    const key = keyOf(owner)
    byOwner.set(key, { ...placeOf(owner), us: us + (byOwner.get(key)?.us ?? 0) })
  }
  const [hottestLine = 0] = [...lines].sort((a, b) => b[1] - a[1])[0] ?? []
  const onBehalfOf = [...byOwner.values()].sort((a, b) => b.us - a.us)
  return { ...placeOf(node), selfUs, totalUs, hottestLine, onBehalfOf }
}

function placeOf({ callFrame: { functionName, url, lineNumber } }: ProfileNode): FunctionPlace {
  return { name: functionName, url, line: lineNumber + 1 }
}
