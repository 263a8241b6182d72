import type { ReactNode } from 'react'
import type { ApiKeyView } from '../../../../src/contract/keys.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { TextField } from '../../../forms/text-field.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { Icon } from '../../../ui/icon.tsx'
import { secretFit } from './secret-fit.ts'

/**
 * Where the secret of a key that was made earlier is pasted. It is held by the parent, in the state of a
 * component, and goes with it.
 */
export function SecretEntry(props: {
  readonly apiKey: ApiKeyView
  readonly pasted: string
  onPasted(text: string): void
}): ReactNode {
  const t = useTexts('keys').setUp
  const fit = secretFit(props.pasted, props.apiKey)
  const colour = fit === 'empty' ? 'text-ink-3' : fit === 'fits' ? 'text-good' : 'text-bad'
  return (
    <div className="rounded-lg border border-line bg-sunken p-3">
      <TextField
        // A name that no password store takes for its own.
        name="pasted-secret"
        label={t.secretEntry}
        hint={t.secretEntryHint(props.apiKey.secret_start, props.apiKey.secret_end)}
        type="password"
        isSecret
        autoComplete="off"
        data-1p-ignore
        data-lpignore="true"
        maxLength={200}
        value={props.pasted}
        onValue={props.onPasted}
      />
      <p role="status" className={classNames('mt-1 flex min-h-5 gap-1.5 text-sm', colour)}>
        {fit !== 'empty' && <Icon name={fit === 'fits' ? 'check' : 'warning'} className="mt-0.5" />}
        <span>{fit === 'empty' ? (props.apiKey.managed ? '' : t.secretLost) : t.fits[fit]}</span>
      </p>
    </div>
  )
}
