import { useState, type ReactNode } from 'react'
import type { AccountView } from '../../../../../src/contract/accounts.ts'
import type { LimitsReport } from '../../../../../src/contract/account-limits.ts'
import { changeAccount } from '../../../../api/accounts.ts'
import { useSharedTexts, useTexts } from '../../../../dictionaries/texts.ts'
import { NumberField } from '../../../../forms/number-field.tsx'
import { TextField } from '../../../../forms/text-field.tsx'
import { localInputOf, momentOfLocalInput, timeText, timeZoneHere } from '../../../../format/local-time.ts'
import { useFormat } from '../../../../format/use-format.ts'
import { useGuarded } from '../../../../shell/identity-guard.tsx'
import { Button } from '../../../../ui/button.tsx'
import { Section } from '../../../../ui/section.tsx'
import { useNow } from '../../../../ui/use-now.ts'
import { FormDialog } from '../../../../forms/form-dialog.tsx'
import { useChange } from '../../../../forms/use-change.ts'
import { useForm } from '../../../../forms/use-form.ts'
import { DAYS, FIELDS, isWindow, type LimitField, limitsOf, type LimitsForm, toForm, validate } from './limits-form.ts'
import { useLimitNames } from './limit-names.ts'

const DAY_MS = 86_400_000

/** More than the limits of an account until a time, at which it ends by itself: what is given, and giving another. */
export function RaiseLimits(props: { readonly account: AccountView; readonly report: LimitsReport }): ReactNode {
  const t = useTexts('oneAccount').raise
  const { labelled } = useSharedTexts()
  const names = useLimitNames()
  const format = useFormat()
  const nowMs = useNow()
  const guarded = useGuarded()
  const [isOpen, setOpen] = useState(false)
  const { account, report } = props
  const raise = account.raise !== null && Date.parse(account.raise.ends_at) > nowMs ? account.raise : null
  const end = useChange({
    send: () => guarded(() => changeAccount(account.id, { raise: null }, account.version)),
    done: () => t.ended,
    refreshes: ['accounts'],
  })
  const limits = toForm(raise?.limits ?? null)
  const raised = FIELDS.filter((field) => limits[field] !== '')
  return (
    <Section
      title={t.title}
      lead={raise === null ? t.lead : t.until(format.time(raise.ends_at))}
      actions={
        <>
          {raise !== null && (
            <Button isBusy={end.isPending} onClick={() => end.mutate()}>
              {t.end}
            </Button>
          )}
          <Button onClick={() => setOpen(true)}>{t.action}</Button>
        </>
      }
    >
      {raise !== null && (
        <ul>
          {raised.map((field) => (
            <li key={field}>
              {labelled(
                names[field],
                isWindow(field) && limits[field] !== '∞' ? format.money(limits[field]) : limits[field],
              )}
            </li>
          ))}
        </ul>
      )}
      {isOpen && <RaiseForm account={account} report={report} onClose={() => setOpen(false)} />}
    </Section>
  )
}

function RaiseForm(props: {
  readonly account: AccountView
  readonly report: LimitsReport
  onClose(): void
}): ReactNode {
  const texts = useTexts('oneAccount')
  const t = texts.raise
  const names = useLimitNames()
  const guarded = useGuarded()
  // As it was when the form was opened.
  const [account] = useState(props.account)
  const zone = timeZoneHere()
  const fields = limitedBy(props.report)
  const form = useForm({
    initial: () => ({ ...toForm(null), ends_at: localInputOf(Date.now() + DAY_MS, zone) }),
    fields: [...FIELDS, 'ends_at', 'raise.ends_at'],
    validate: (values) => {
      const end = momentOfLocalInput(values.ends_at, zone)
      return {
        ...validate(values),
        ...nothingIn(values),
        ...(end === undefined || end <= Date.now() ? { ends_at: 'inFuture' as const } : {}),
      }
    },
    messages: { ...texts.limits, nothing: t.nothing, inFuture: t.inFuture },
    send: (values, { version }) => {
      const endsAt = timeText(momentOfLocalInput(values.ends_at, zone) ?? Date.now())
      const raise = { limits: limitsOf(values) ?? {}, ends_at: endsAt }
      return guarded(() => changeAccount(account.id, { raise }, version ?? account.version))
    },
    done: () => t.done,
    refreshes: ['accounts'],
    onClose: props.onClose,
  })
  return (
    <FormDialog
      form={form}
      title={t.action}
      description={fields.length === 0 ? t.unlimited : t.lead}
      action={t.submit}
      onClose={props.onClose}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        {fields.map((field) => (
          <NumberField
            of={isWindow(field) ? 'amount' : 'count'}
            inputMode="text"
            key={field}
            {...form.text(field, names[field])}
            hint={isWindow(field) ? texts.limits.spendHint : undefined}
            isOptional
          />
        ))}
      </div>
      <TextField
        {...form.text('ends_at', t.endsAt)}
        type="datetime-local"
        error={form.errorOf('ends_at') ?? form.errorOf('raise.ends_at')}
      />
    </FormDialog>
  )

  function nothingIn(values: LimitsForm): Readonly<Partial<Record<LimitField, 'nothing'>>> {
    const [first] = fields
    return first === undefined || limitsOf(values) !== null ? {} : { [first]: 'nothing' }
  }
}

/** What limits the account now: nothing else can be raised. */
function limitedBy({ limits }: LimitsReport): readonly LimitField[] {
  return FIELDS.filter((field) =>
    isWindow(field) ? limits.spend.some(({ window }) => window === field) : field !== DAYS && limits[field] !== null,
  )
}
