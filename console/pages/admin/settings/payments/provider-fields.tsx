import { useState, type ReactNode } from 'react'
import { useSharedTexts, useTexts } from '../../../../dictionaries/texts.ts'
import { NumberField } from '../../../../forms/number-field.tsx'
import { TextField } from '../../../../forms/text-field.tsx'
import type { Submission } from '../../../../forms/use-submission.ts'
import { Button } from '../../../../ui/button.tsx'
import { ConfirmDialog } from '../../../../ui/dialog.tsx'
import type { TextProps } from '../../../../forms/use-form.ts'

/** What a provider charges in, and at which rate. */
export function RateFields(props: { readonly currency: TextProps; readonly perUsd: TextProps }): ReactNode {
  const t = useTexts('paymentSettings').form
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2">
      <TextField {...props.currency} hint={t.currencyHint} maxLength={3} autoCapitalize="none" />
      <NumberField of="factor" {...props.perUsd} hint={t.perUsdHint} />
    </div>
  )
}

/** A key that is stored sealed: empty keeps the one that is there. */
export function SealedField({ isSet, ...field }: TextProps & { readonly isSet: boolean }): ReactNode {
  const t = useTexts('paymentSettings').form
  return (
    <TextField
      {...field}
      hint={isSet ? t.keyKept : t.keyHint}
      type="password"
      isSecret
      autoComplete="off"
      maxLength={500}
    />
  )
}

/** Save and cancel; where the provider is set up, it can be removed with its keys. */
export function ProviderFoot(props: {
  readonly submission: Submission
  /** null: there is nothing to remove. */
  readonly removal: Submission | null
  readonly name: string
  onCancel(): void
}): ReactNode {
  const t = useTexts('paymentSettings').form
  const shared = useSharedTexts()
  const [isAsking, setAsking] = useState(false)
  const { submission, removal, name } = props
  return (
    <div className="flex flex-wrap justify-end gap-2">
      {removal !== null && (
        <Button look="quiet" className="mr-auto" onClick={() => setAsking(true)}>
          {t.remove}
        </Button>
      )}
      <Button onClick={props.onCancel}>{shared.cancel}</Button>
      <Button type="submit" look="primary" isBusy={submission.isSending}>
        {shared.save}
      </Button>
      {removal !== null && (
        <ConfirmDialog
          isOpen={isAsking}
          title={t.removeTitle(name)}
          action={t.remove}
          isDangerous
          isBusy={removal.isSending}
          onConfirm={() => {
            setAsking(false)
            removal.submit()
          }}
          onClose={() => setAsking(false)}
        >
          {t.removeText}
        </ConfirmDialog>
      )}
    </div>
  )
}
