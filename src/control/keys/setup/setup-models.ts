import type { KeyWithOwner } from '../../../access/api-key.ts'
import { isAsked, isLeft } from '../../../core/route-reasons.ts'
import { Fault } from '../../../core/faults.ts'
import { nanoUsd } from '../../../core/money.ts'
import type { Wire } from '../../../core/wire.ts'
import { type CallableModel, callableModels } from '../../../entitlement/callable-models.ts'
import { wiresIn } from '../../../entitlement/catalogue.ts'
import type { RouteQuestion } from '../../../entitlement/route-explanation.ts'
import type { ModelAnswers } from '../../../metering/usage/usage-store.ts'
import type { Model } from '../../../routing/catalog.ts'
import { abilitiesByName } from '../../../routing/abilities-by-name.ts'
import { kindOf } from '../../../routing/model-kind.ts'
import type { ControlParts } from '../../parts.ts'
import type { ListedCatalogue } from '../../catalogue.ts'
import type { SetupModel } from './client-description.ts'

/** The facts by which the models of a key are judged. */
export interface SetupEvidence {
  readonly catalogue: ListedCatalogue
  readonly nowMs: number
  /** Answers by the model's name; see `UsageStore.answersByModel`. */
  readonly answers: ReadonlyMap<string, ModelAnswers>
  readonly explainRoute: ControlParts['explainRoute']
}

/** How far back answers count for a model, or against it. */
export const ANSWERS_COUNT_MS = 7 * 86_400_000

/** What a key can call now, with what is known of each. */
export function setupModels(of: KeyWithOwner, evidence: SetupEvidence): readonly SetupModel[] {
  const { catalogue } = evidence
  return callableModels(of, evidence).map(({ model, group }: CallableModel) => {
    const wires = wiresIn(model, catalogue, group)
    return {
      name: model.name,
      wires,
      contextTokens: model.contextTokens,
      maxOutputTokens: model.maxOutputTokens,
      kind: kindOf(model).kind,
      abilities: abilitiesByName(model.name),
      isRecommended: model.isRecommended === true,
      answers: answersNow(of, { model, wire: wires[0] }, evidence),
      price: priceOf(model),
    }
  })
}

/** False where no target would be asked for its own sake, or where more failed than not; null: nothing is known. */
function answersNow(
  of: KeyWithOwner,
  { model, wire }: { readonly model: Model; readonly wire: Wire | undefined },
  { answers, explainRoute, nowMs }: SetupEvidence,
): boolean | null {
  if (wire === undefined || !mayBeAsked({ of, modelName: model.name, wire, nowMs }, explainRoute)) return false
  const { good, failed } = answers.get(model.name) ?? { good: 0, failed: 0 }
  return good + failed === 0 ? null : good > failed
}

/** Whether this node would ask a target that is well. A request that is stopped for want of money says nothing of the model. */
function mayBeAsked(question: RouteQuestion, explainRoute: ControlParts['explainRoute']): boolean {
  try {
    return explainRoute(question).candidates.some(
      ({ reason }) => isLeft(reason) || reason === 'load' || (isAsked(reason) && reason !== 'panic'),
    )
  } catch (error) {
    if (error instanceof Fault) return true
    throw error
  }
}

/** Conversations send about three times what they get. What costs something to read and nothing to write is priced in part. */
function priceOf({ prices }: Model): SetupModel['price'] {
  if (prices === null) return null
  if (prices.input === null || prices.output === null) return prices.units?.request ?? null
  if (prices.input > 0n && prices.output === 0n) return null
  return nanoUsd(3n * prices.input + prices.output)
}
