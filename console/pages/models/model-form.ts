import type { ModelView } from '../../../src/contract/models.ts'
import type { ModelChange } from '../../api/catalogue-changes.ts'
import { amountOf, countOf, isEmptyOr } from '../../forms/typed-numbers.ts'

/** Settings of a model that are whole numbers or nothing. */
export const MODEL_COUNTS = ['context_tokens', 'max_output_tokens'] as const
export const MODEL_TIMES = ['hedge_after_ms', 'first_event_timeout_ms', 'idle_timeout_ms', 'timeout_ms'] as const
const NUMBERS = [...MODEL_COUNTS, ...MODEL_TIMES]
type NumberField = (typeof NUMBERS)[number]

/** What is written in the form. */
export interface ModelForm extends Readonly<Record<NumberField, string>> {
  /** Empty: it is worked out. */
  readonly kind: ModelView['kind'] | ''
  readonly recommended: boolean
  readonly input_price: string
  readonly output_price: string
}

/** The form of a model as it is. */
export function toForm(model: ModelView): ModelForm {
  const written = (name: NumberField): string => (model[name] === null ? '' : String(model[name]))
  return {
    kind: model.kind_from === 'set' ? model.kind : '',
    recommended: model.recommended,
    input_price: '',
    output_price: '',
    context_tokens: written('context_tokens'),
    max_output_tokens: written('max_output_tokens'),
    hedge_after_ms: written('hedge_after_ms'),
    first_event_timeout_ms: written('first_event_timeout_ms'),
    idle_timeout_ms: written('idle_timeout_ms'),
    timeout_ms: written('timeout_ms'),
  }
}

type ModelProblem = 'wholeNumber' | 'amount' | 'pricePair'

const WHOLE = { least: 1, most: 9_999_999_999 } as const

/** What is wrong with the form, by its fields; empty: nothing. */
export function validate(form: ModelForm): Readonly<Partial<Record<keyof ModelForm, ModelProblem>>> {
  const numbers = NUMBERS.filter((name) => !isEmptyOr(whole, form[name]))
  const prices = PRICES.filter((name) => !isEmptyOr(amountOf, form[name]))
  const given = PRICES.filter((name) => form[name].trim() !== '')
  return {
    ...Object.fromEntries(numbers.map((name) => [name, 'wholeNumber'])),
    ...(given.length === 1 ? { [given[0] === 'input_price' ? 'output_price' : 'input_price']: 'pricePair' } : {}),
    ...Object.fromEntries(prices.map((name) => [name, 'amount'])),
  }
}

const PRICES = ['input_price', 'output_price'] as const

function whole(text: string): number | null {
  return countOf(text, WHOLE)
}

/** Only what differs from the model as it was shown: what another admin changes meanwhile stays. */
export function changeOf(model: ModelView, form: ModelForm): ModelChange {
  const before = toForm(model)
  const numbers = NUMBERS.filter((name) => form[name].trim() !== before[name])
  const [input, output] = [amountOf(form.input_price), amountOf(form.output_price)]
  return {
    ...(form.kind === before.kind ? {} : { kind: form.kind === '' ? null : form.kind }),
    ...(form.recommended === before.recommended ? {} : { recommended: form.recommended }),
    ...Object.fromEntries(numbers.map((name) => [name, whole(form[name])])),
    ...(input === null || output === null ? {} : { price: { input, output } }),
  }
}
