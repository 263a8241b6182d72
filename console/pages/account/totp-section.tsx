import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { SignInMethods, SecondFactorCodeBody } from '../../../src/contract/sign-in.ts'
import { meQuery } from '../../api/me.ts'
import { methodsQuery, newBackupCodes, startTotp, stopTotp } from '../../api/sign-in.ts'
import { useTexts } from '../../dictionaries/texts.ts'
import { FormDialog } from '../../forms/form-dialog.tsx'
import { TextField } from '../../forms/text-field.tsx'
import { useForm } from '../../forms/use-form.ts'
import { useGuarded } from '../../shell/identity-guard.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { Section } from '../../ui/section.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useToast } from '../../ui/toasts.tsx'
import { BackupCodesDialog } from './backup-codes-dialog.tsx'

const TotpDialog = lazyPart(() => import('./totp-dialog.tsx'))

export function TotpSection(): ReactNode {
  const t = useTexts('account').totp
  const guarded = useGuarded()
  const toast = useToast()
  const client = useQueryClient()
  const { data: methods, error, refetch } = useQuery(methodsQuery)
  const [question, setQuestion] = useState<'off' | 'codes' | null>(null)
  // The secret and the codes live in these two, and go with them.
  const start = useMutation({ mutationFn: () => guarded(startTotp), gcTime: 0 })
  const [newCodes, setNewCodes] = useState<readonly string[] | null>(null)
  const keep = (changed: SignInMethods): void => {
    client.setQueryData(methodsQuery.queryKey, changed)
    void client.invalidateQueries({ queryKey: meQuery.queryKey })
  }
  const failed = start.error ?? (methods === undefined ? error : null)
  return (
    <Section
      title={t.title}
      lead={t.lead}
      actions={
        methods === undefined ? (
          <Skeleton className="h-8.5 w-24 touch:h-11" />
        ) : methods.totp.is_on ? (
          <>
            <Button onClick={() => setQuestion('codes')}>{t.newCodes}</Button>
            <Button onClick={() => setQuestion('off')}>{t.turnOff}</Button>
          </>
        ) : (
          <Button icon="shield" isBusy={start.isPending} onClick={() => start.mutate()}>
            {t.turnOn}
          </Button>
        )
      }
    >
      <div className="grid gap-3">
        <p className="flex min-h-5.5 flex-wrap items-center gap-2">
          {methods !== undefined && (
            <Badge hasDot tone={methods.totp.is_on ? 'good' : 'neutral'}>
              {methods.totp.is_on ? t.on : t.off}
            </Badge>
          )}
          {methods?.totp.backup_codes_left != null && (
            <span className="text-ink-2">{t.codesLeft(methods.totp.backup_codes_left)}</span>
          )}
        </p>
        {failed !== null && <ErrorState error={failed} onRetry={() => void refetch()} />}
      </div>
      {start.data !== undefined && <TotpDialog start={start.data} onClose={start.reset} onTurnedOn={keep} />}
      {newCodes !== null && <BackupCodesDialog codes={newCodes} onClose={() => setNewCodes(null)} />}
      {question !== null && (
        <TotpQuestion
          question={question}
          onOff={(changed) => {
            keep(changed)
            toast({ text: t.turnedOff })
          }}
          onCodes={(codes) => {
            setNewCodes(codes)
            void client.invalidateQueries({ queryKey: methodsQuery.queryKey })
          }}
          onClose={() => setQuestion(null)}
        />
      )}
    </Section>
  )
}

/** Asks before the second step is turned off, or its backup codes are replaced. */
function TotpQuestion(props: {
  readonly question: 'off' | 'codes'
  onOff(methods: SignInMethods): void
  onCodes(codes: readonly string[]): void
  onClose(): void
}): ReactNode {
  const t = useTexts('account').totp
  const guarded = useGuarded()
  const { onClose } = props
  if (props.question === 'off') {
    return (
      <TotpCodeDialog
        title={t.offTitle}
        text={t.offText}
        action={t.offAction}
        send={(code) => guarded(() => stopTotp(code))}
        onDone={(changed) => {
          onClose()
          props.onOff(changed)
        }}
        onClose={onClose}
      />
    )
  }
  return (
    <TotpCodeDialog
      title={t.newCodesTitle}
      text={t.newCodesText}
      action={t.newCodesAction}
      send={(code) => guarded(() => newBackupCodes(code))}
      onDone={(made) => {
        onClose()
        props.onCodes(made.backup_codes)
      }}
      onClose={onClose}
    />
  )
}

/** Asks for a code of the second step before something about it changes. */
function TotpCodeDialog<Answer>(props: {
  readonly title: string
  readonly text: string
  readonly action: string
  send(body: SecondFactorCodeBody): Promise<Answer>
  onDone(answer: Answer): void
  onClose(): void
}): ReactNode {
  const t = useTexts('account').totp
  const form = useForm({
    initial: { code: '' },
    validate: ({ code }) => ({ code: code.trim() === '' && 'required' }),
    send: ({ code }) => props.send(codeOf(code)),
    onDone: props.onDone,
  })
  return (
    <FormDialog
      form={form}
      action={props.action}
      size="small"
      title={props.title}
      description={props.text}
      onClose={props.onClose}
    >
      <TextField
        {...form.text('code', t.anyCode)}
        hint={t.anyCodeHint}
        autoComplete="one-time-code"
        maxLength={32}
        className="max-w-60 font-mono"
      />
    </FormDialog>
  )
}

/** Apps show six digits, with or without a space; backup codes look different. */
function codeOf(typed: string): SecondFactorCodeBody {
  const digits = typed.replaceAll(/\s/g, '')
  return /^\d{6}$/.test(digits) ? { way: 'totp', code: digits } : { way: 'backup_code', code: typed.trim() }
}
