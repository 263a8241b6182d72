import type { DragEvent, ReactNode } from 'react'
import type { UpstreamView } from '../../../../src/contract/upstreams.ts'
import {
  CREDENTIAL_KINDS,
  type CredentialKind,
  credentialSource,
  sourceOf,
} from '../../../../src/core/credential-kind.ts'
import type { CredentialInput } from '../../../api/upstream-admin.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { SelectField } from '../../../forms/select-field.tsx'
import { TextAreaField, TextField } from '../../../forms/text-field.tsx'
import { buttonClass } from '../../../ui/button.tsx'
import { nameOf } from '../../../format/name-of.ts'

/** What is typed of a credential of some kind. */
export interface CredentialForm {
  /** `kind.source`. */
  readonly source: string
  readonly settings: Readonly<Record<string, string>>
  /** The secret, where the source has one. */
  readonly secret: string
}

/** The source that `kind.source` names; null: a secret that is sent as it is. */
export function mintedSource(source: string): NonNullable<ReturnType<typeof credentialSource>> | null {
  const [kind = '', name = ''] = source.split('.')
  if (!Object.hasOwn(CREDENTIAL_KINDS, kind) || kind === 'static') return null
  return credentialSource(kind as CredentialKind, name) ?? null
}

/** The way to a credential that is stored, as `kind.source`. */
export function sourceOfCredential({ kind = 'static', settings = {} }: Credential): string {
  return `${kind}.${sourceOf(kind, settings)}`
}

type Credential = Pick<UpstreamView['credentials'][number], 'kind' | 'settings'>

/** A credential as it is sent: of a kind with its settings, or a secret that is sent as it is. */
export function credentialInput({ source, settings, secret }: CredentialForm): CredentialInput {
  const [kind = '', name = ''] = source.split('.')
  const filled = Object.entries(settings).flatMap(([setting, value]) =>
    setting === 'source' || value.trim() === '' ? [] : [[setting, value.trim()] as const],
  )
  return {
    kind,
    settings: kind === 'static' ? {} : { source: name, ...Object.fromEntries(filled) },
    ...(secret.trim() === '' ? {} : { secret: secret.trim() }),
  }
}

/** The names of the settings that a source may do without. */
export function optionalSettings(source: string): readonly string[] {
  const settings = Object.entries(mintedSource(source)?.settings ?? {})
  return settings.flatMap(([name, need]) => (need === 'optional' ? [name] : []))
}

/** Chooses between ways to a credential, where there are several. */
export function SourceField(props: {
  readonly label: string
  /** `kind.source` of each. */
  readonly sources: readonly string[]
  readonly value: string
  onValue(source: string): void
}): ReactNode {
  const t = useTexts('connecting')
  return (
    <SelectField
      name="source"
      label={props.label}
      value={props.value}
      onValue={props.onValue}
      options={props.sources.map((value) => ({ value, label: nameOf(value, t.sources) }))}
    />
  )
}

interface SettingsProps {
  readonly value: CredentialForm
  errorOf(field: string): string | undefined
  onValue(part: Partial<CredentialForm>): void
}

/** The settings of a source: those that it must have, or those that it may have. */
export function SettingFields(props: SettingsProps & { readonly need: 'required' | 'optional' }): ReactNode {
  const t = useTexts('connecting')
  const { value } = props
  const settings = Object.entries(mintedSource(value.source)?.settings ?? {})
  return settings.map(
    ([name, need]) =>
      need === props.need && (
        <TextField
          key={name}
          name={`settings.${name}`}
          label={nameOf(name, t.settings)}
          isOptional={need === 'optional'}
          error={props.errorOf(`settings.${name}`)}
          value={value.settings[name] ?? ''}
          onValue={(text) => props.onValue({ settings: { ...value.settings, [name]: text } })}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={500}
        />
      ),
  )
}

/** What a credential that is minted cannot do without: its settings and its secret. */
export function MintedFields(
  props: SettingsProps & {
    /** The names that errors have: `settings.NAME` and this one. */
    readonly secretName: string
    /** Whether the secret may stay as it is. */
    readonly isKept?: boolean
    /** Whether the settings are asked for beside the secret; they are unless set. */
    readonly hasSettings?: boolean
  },
): ReactNode {
  const t = useTexts('connecting')
  const { value, errorOf, onValue } = props
  const source = mintedSource(value.source) ?? STATIC
  return (
    <>
      {props.hasSettings !== false && (
        <SettingFields value={value} need="required" errorOf={errorOf} onValue={onValue} />
      )}
      {source.secret === 'line' && (
        <TextField
          name={props.secretName}
          label={nameOf(value.source, t.secrets)}
          hint={props.isKept === true ? t.kept : undefined}
          isOptional={props.isKept === true}
          error={errorOf(props.secretName)}
          value={value.secret}
          onValue={(secret) => onValue({ secret })}
          type="password"
          isSecret
          autoComplete="off"
        />
      )}
      {(source.secret === 'json' || source.secret === 'pem') && (
        <KeyFileField
          name={props.secretName}
          label={nameOf(value.source, t.secrets)}
          isOptional={props.isKept === true}
          error={errorOf(props.secretName)}
          accept={source.secret === 'json' ? '.json,application/json' : '.pem,.crt,.key'}
          value={value.secret}
          onValue={(secret) => onValue({ secret })}
        />
      )}
      {source.secret === null && <p className="text-sm text-ink-2">{nameOf(value.source, t.without)}</p>}
    </>
  )
}

/** A secret that is sent as it is. */
const STATIC = { settings: {}, secret: 'line' } as const

/** Larger files are none of these. */
const MOST_BYTES = 64 * 1024

/** A key file: pasted, dropped onto the field, or chosen. */
function KeyFileField(props: {
  readonly name: string
  readonly label: string
  readonly isOptional: boolean
  readonly error: string | undefined
  readonly accept: string
  readonly value: string
  onValue(text: string): void
}): ReactNode {
  const t = useTexts('connecting')
  const { accept, ...field } = props
  const read = async (file: File | undefined): Promise<void> => {
    if (file !== undefined && file.size <= MOST_BYTES) props.onValue(await file.text())
  }
  const drop = (event: DragEvent): void => {
    const [file] = event.dataTransfer.files
    if (file === undefined) return
    event.preventDefault()
    void read(file)
  }
  return (
    <div className="grid gap-2" onDragOver={(event) => event.preventDefault()} onDrop={drop}>
      <TextAreaField
        {...field}
        hint={t.fileHint}
        rows={4}
        autoComplete="off"
        spellCheck={false}
        className="font-mono text-sm"
      />
      {/* The browser's own button speaks the browser's language. */}
      <span className={buttonClass('secondary', 'relative w-fit has-focus-visible:outline-2')}>
        <input
          type="file"
          accept={accept}
          aria-label={t.chooseFile}
          className="absolute inset-0 size-full cursor-pointer opacity-0"
          onChange={(event) => void read(event.currentTarget.files?.[0])}
        />
        <span aria-hidden="true">{t.chooseFile}</span>
      </span>
    </div>
  )
}
