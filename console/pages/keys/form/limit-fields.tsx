import { useId, type ReactNode } from 'react'
import { useTexts } from '../../../dictionaries/texts.ts'
import { SelectField } from '../../../forms/select-field.tsx'
import { NumberField, NumberInput, useNumberProblem } from '../../../forms/number-field.tsx'
import { useFormat } from '../../../format/use-format.ts'
import { Icon } from '../../../ui/icon.tsx'
import { type DeviceRule, resetsWithin } from './device-rule.ts'
import {
  COUNT_EXAMPLES,
  COUNT_FIELDS,
  type KeyDraft,
  type KeyField,
  rateLimitField,
  SPEND_WINDOWS,
} from './key-draft.ts'

export interface DraftFieldsProps {
  readonly draft: KeyDraft
  change(part: Partial<KeyDraft>): void
  errorOf(field: KeyField): string | undefined
}

/** What the key may spend in all or within its period. */
export function QuotaFields(props: DraftFieldsProps & { readonly rule: DeviceRule | null }): ReactNode {
  const t = useTexts('keys').form
  const format = useFormat()
  const { draft, change, rule, errorOf } = props
  const most = rule?.max_quota ?? null
  return (
    <div className="grid grid-cols-1 gap-x-3 gap-y-4 sm:grid-cols-2">
      <NumberField
        of="amount"
        name="quota_limit"
        label={t.quota}
        isOptional={most === null}
        hint={most === null ? t.quotaHint : t.quotaMost(format.exactMoney(most))}
        placeholder="20"
        value={draft.quotaLimit}
        onValue={(quotaLimit) => change({ quotaLimit })}
        error={errorOf('quota_limit')}
      />
      {/* Without a limit nothing resets. */}
      {draft.quotaLimit.trim() !== '' && (
        <SelectField
          name="quota_reset"
          label={t.quotaReset}
          error={errorOf('quota_reset')}
          options={resetsWithin(rule).map((reset) => ({ value: reset, label: t.resets[reset] }))}
          value={draft.quotaReset}
          onValue={(quotaReset) => change({ quotaReset })}
        />
      )}
    </div>
  )
}

/** How fast it may go. */
export function RateFields({ draft, change, errorOf }: DraftFieldsProps): ReactNode {
  const t = useTexts('keys').form
  return (
    <fieldset className="min-w-0">
      <legend className="font-medium">{t.limits}</legend>
      <p className="text-sm text-ink-3">{t.limitsHint}</p>
      <div className="mt-2 grid gap-3 sm:grid-cols-3">
        {COUNT_FIELDS.map((field) => (
          <NumberField
            of="count"
            key={field}
            name={rateLimitField(field)}
            label={t.counts[field]}
            placeholder={COUNT_EXAMPLES[field]}
            value={draft.counts[field]}
            onValue={(text) => change({ counts: { ...draft.counts, [field]: text } })}
            error={errorOf(rateLimitField(field))}
          />
        ))}
      </div>
      <SpendFields draft={draft} change={change} errorOf={errorOf} />
    </fieldset>
  )
}

function SpendFields({ draft, change, errorOf }: DraftFieldsProps): ReactNode {
  const t = useTexts('keys').form
  const problemOf = useNumberProblem()
  const wrong = errorOf('rate_limit.spend')
  const error =
    SPEND_WINDOWS.map((window) => problemOf(wrong, { of: 'amount', value: draft.spend[window] })).find(
      (each) => each !== wrong,
    ) ?? wrong
  const errorId = useId()
  return (
    <fieldset className="mt-3 min-w-0">
      <legend className="font-medium">{t.spend}</legend>
      <p className="text-sm text-ink-3">{t.spendHint}</p>
      <div className="mt-2 grid grid-cols-3 gap-3">
        {SPEND_WINDOWS.map((window) => (
          <label key={window} className="min-w-0">
            <span className="mb-1 block text-sm text-ink-2">{t.windows[window]}</span>
            <NumberInput
              of="amount"
              name={`rate_limit.spend.${window}`}
              aria-invalid={error === undefined ? undefined : true}
              aria-describedby={error === undefined ? undefined : errorId}
              value={draft.spend[window]}
              onChange={(event) => change({ spend: { ...draft.spend, [window]: event.currentTarget.value } })}
            />
          </label>
        ))}
      </div>
      {error !== undefined && (
        <p id={errorId} className="mt-1 flex gap-1.5 text-sm text-bad">
          <Icon name="warning" className="mt-0.5" />
          <span>{error}</span>
        </p>
      )}
    </fieldset>
  )
}
