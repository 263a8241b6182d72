import type { ImportPlan } from './import-plan.ts'
import { askKeys, litellmKeyInfo } from './verify/ask-keys.ts'
import { differingNames, differingPrice, shownNames, PlanHere } from './verify/compare.ts'
import { litellmPrices } from './verify/litellm-word.ts'
import { newApiPrices } from './verify/new-api-word.ts'
import { type AskSource, noPrices, type SaidPrices, USAGES_SHOWN } from './verify/source-word.ts'
import { sub2apiPrices } from './verify/sub2api-word.ts'

export type { AskSource, SourceAnswer } from './verify/source-word.ts'

const LINES_LIMIT = 500

interface VerifyAbout {
  readonly ask: AskSource
  /** The key of an admin, or LiteLLM's master key; null: none was given. */
  readonly adminKey: string | null
  readonly nowMs: number
  readonly isOver: () => boolean
  readonly onKey: (done: number, all: number) => void
}

/** What a running source says of itself beside what the plan makes of it. */
export interface Verification {
  /** The summary first. */
  readonly lines: readonly string[]
  /** Nothing is different, and nothing that should have been compared was not. */
  readonly isSame: boolean
}

/**
 * Compares, for each key and model, what the running source lists and charges with what will be listed and charged here, for
 * three fixed usages. Asks for lists and prices alone: no call of it costs anything.
 */
export async function verifyPlan(plan: ImportPlan, about: VerifyAbout): Promise<Verification> {
  const here = new PlanHere(plan)
  const said = await saidBy(plan, about)
  const { adminKey } = about
  const isByHash = plan.product === 'litellm' && adminKey !== null && said.models !== null
  const keyInfo = isByHash ? litellmKeyInfo(adminKey, said.models) : null
  const keys = await askKeys(plan, { ...about, here, keyInfo })
  const ofModels = plan.product === 'litellm' ? comparedModels(plan, here, said) : { lines: [], pairs: keys.pairs }
  const prices = comparedPrices(ofModels.pairs, { here, said })
  const differences = [
    ...[...keys.differences].map(([sentence, names]) => `  ${sentence}: ${shownNames(names)}`),
    ...ofModels.lines,
    ...prices.lines,
  ]
  const missed = [
    ...[...keys.missed].map(([why, count]) => `  ${count} ${count === 1 ? 'key' : 'keys'}: ${why}`),
    ...said.unsaid.map((sentence) => `  ${sentence}`),
    ...(prices.unsaid.length === 0 || said.models === null
      ? []
      : [
          `  the prices of ${prices.unsaid.length} models, of which the source says none: ${shownNames(prices.unsaid)}`,
        ]),
  ]
  const isAnything = prices.compared + keys.compared.length > 0
  const isSame = differences.length === 0 && keys.failed === 0 && isAnything
  const count = `${keys.compared.length} keys and the prices of ${prices.compared} models`
  const result =
    differences.length > 0 ? `${differences.length} differences` : isAnything ? 'no difference' : 'so nothing'
  return {
    lines: [
      `Compared with the running source: ${count}, ${result}${keys.failed === 0 ? '' : `, ${keys.failed} keys not compared`}.`,
      ...(prices.lines.length === 0 ? [] : [`  Prices are of three requests: ${USAGES_SHOWN}`]),
      ...differences.slice(0, LINES_LIMIT),
      ...(differences.length > LINES_LIMIT ? [`  and ${differences.length - LINES_LIMIT} more`] : []),
      ...(missed.length === 0 ? [] : ['Not compared:', ...missed]),
    ],
    isSame,
  }
}

function saidBy({ product }: ImportPlan, { ask, adminKey }: VerifyAbout): Promise<SaidPrices> | SaidPrices {
  switch (product) {
    case 'new-api':
      return newApiPrices(ask)
    case 'sub2api':
      return sub2apiPrices(ask, adminKey)
    case 'litellm':
      return litellmPrices(ask, adminKey)
    case 'one-api':
      return noPrices('prices: no answer of one-api says them')
  }
}

/** Where no key can be asked for, the source's own list of models stands for all of them. */
function comparedModels(plan: ImportPlan, here: PlanHere, said: SaidPrices) {
  const groups = plan.groups.map(({ name }) => name)
  const served = new Set(groups.flatMap((group) => [...here.modelsIn(group)]))
  const pairs = new Map(
    [...served].flatMap((name) => {
      const isThere = said.models === null || said.models.has(name)
      return isThere ? [[name, new Set(groups.filter((group) => here.modelsIn(group).has(name)))] as const] : []
    }),
  )
  const lines = said.models === null ? [] : differingNames(said.models, served).map((sentence) => `  ${sentence}`)
  return { lines, pairs }
}

/** One line for each model, with the groups in which it is so. */
function comparedPrices(
  pairs: ReadonlyMap<string, ReadonlySet<string>>,
  about: { readonly here: PlanHere; readonly said: SaidPrices },
) {
  const lines: string[] = []
  const unsaid: string[] = []
  let compared = 0
  for (const [model, groups] of [...pairs].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const found = [...groups].map((group) => ({ group, ...differingPrice({ model, group }, about) }))
    if (found.some(({ isSaid }) => isSaid)) compared += 1
    else unsaid.push(model)
    const bySentence = Map.groupBy(
      found.filter(({ sentence }) => sentence !== null),
      ({ sentence }) => sentence,
    )
    for (const [sentence, where] of bySentence)
      lines.push(`  price of ${model} in ${shownNames(where.map(({ group }) => group))}: ${sentence ?? ''}`)
  }
  return { lines, unsaid, compared }
}
