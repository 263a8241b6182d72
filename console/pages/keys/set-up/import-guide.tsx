import { type ReactNode, useId, useState } from 'react'
import type { ImportOption, ImportTargetView, KeySetup } from '../../../../src/contract/setup.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { fillLink } from '../../../setup/fill-link.ts'
import { Button } from '../../../ui/button.tsx'
import { ClientChips } from '../../../ui/client-chips.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { ModelField } from './set-up-models.tsx'
import { setUpValues } from './use-set-up-choice.ts'

const LinkCode = lazyPart(() => import('./link-code.tsx'), <div className="size-48" />)

/** Links that put the key into a program: choose the program, what it is for and the model. `secret` null: still to come. */
export function ImportGuide(props: { readonly setup: KeySetup; readonly secret: string | null }): ReactNode {
  const t = useTexts('keys').importing
  const s = useTexts('setup')
  const targets = props.setup.imports
  const [targetId, setTarget] = useState<string>()
  const [optionId, setOption] = useState<string>()
  const name = useId()
  const target = targets.find((each) => each.id === targetId) ?? targets.find((each) => each.options.length > 0)
  const option = target?.options.find((each) => each.id === optionId) ?? target?.options[0]
  if (targets.length === 0) return <Notice>{t.noTargets}</Notice>
  return (
    <div className="grid grid-cols-1 gap-4">
      <ClientChips
        label={t.app}
        name={`${name}-app`}
        clients={targets.map((each) => ({ ...each, isUnavailable: each.options.length === 0 }))}
        value={target?.id ?? ''}
        onValue={setTarget}
      />
      {target !== undefined && option === undefined && (
        <Notice tone="warn" isLive>
          {s.unavailable[target.unavailable ?? 'no_model_of_protocol']}
        </Notice>
      )}
      {target !== undefined && target.options.length > 1 && (
        <ClientChips
          label={t.forWhat}
          name={`${name}-option`}
          clients={target.options}
          value={option?.id ?? ''}
          onValue={setOption}
        />
      )}
      {target !== undefined && option !== undefined && (
        // Another program begins with its own models, and with its code hidden.
        <OneImport key={`${target.id} ${option.id}`} {...props} target={target} option={option} />
      )}
    </div>
  )
}

/** One link: its models, what to mind, and the button. */
export function OneImport(props: {
  readonly setup: KeySetup
  readonly secret: string | null
  readonly target: ImportTargetView
  readonly option: ImportOption
  /** The link, which has the secret in it, was opened or copied. */
  onCopied?(): void
}): ReactNode {
  const t = useTexts('keys')
  const s = useTexts('setup')
  const { target, option, secret } = props
  const [chosen, setChosen] = useState<Readonly<Record<string, string>>>({})
  const models = Object.fromEntries(
    option.slots.map((slot) => [slot.placeholder, chosen[slot.placeholder] ?? slot.suggested]),
  )
  // Built when it is asked for: it has the secret in it.
  const link = (): string => fillLink(option.link, setUpValues(props.setup, models, secret))
  return (
    <>
      {option.slots.length > 0 && (
        <div className="grid grid-cols-1 gap-3 sm:grid-cols-2">
          {option.slots.map((slot) => (
            <ModelField
              key={slot.placeholder}
              label={t.setUp.otherModels[slot.placeholder]}
              models={option.models}
              value={models[slot.placeholder] ?? ''}
              onValue={(name) => setChosen((before) => ({ ...before, [slot.placeholder]: name }))}
            />
          ))}
        </div>
      )}
      {target.warnings.filter(isBefore).map((warning) => (
        <Notice key={warning} tone={warning === 'key_reaches_web_server' ? 'bad' : 'warn'}>
          {s.warnings[warning]}
        </Notice>
      ))}
      {secret === null ? (
        <Notice>{t.importing.needsSecret}</Notice>
      ) : (
        <ImportLink target={target} option={option} link={link} onCopied={props.onCopied} />
      )}
    </>
  )
}

/** The link as a button, as text to copy and as a code. It is built when it is asked for: it has the secret in it. */
function ImportLink(props: {
  readonly target: ImportTargetView
  readonly option: ImportOption
  link(): string
  readonly onCopied: (() => void) | undefined
}): ReactNode {
  const t = useTexts('keys').importing
  const { target, option, link } = props
  const [wasOpened, setOpened] = useState(false)
  const [isCodeShown, setCodeShown] = useState(target.show_as === 'qr')
  return (
    <div className="grid grid-cols-1 gap-3">
      {isCodeShown && <LinkCode text={link()} label={t.code(target.name)} />}
      <div className="flex flex-wrap gap-2">
        {target.show_as === 'link' && (
          <Button
            look="primary"
            icon="external"
            onClick={() => {
              openLink(link())
              setOpened(true)
              props.onCopied?.()
            }}
          >
            {isWebAddress(option) ? t.openPage : t.open(target.name)}
          </Button>
        )}
        <CopyButton
          text={link}
          what={t.copyLink}
          label={t.copyLink}
          {...(props.onCopied === undefined ? {} : { onCopied: props.onCopied })}
        />
        {target.show_as === 'qr' && (
          <Button aria-expanded={isCodeShown} onClick={() => setCodeShown(!isCodeShown)}>
            {isCodeShown ? t.hideCode : t.showCode}
          </Button>
        )}
      </div>
      <p className="text-sm text-ink-3">{t.holdsSecret}</p>
      {wasOpened && <WasOpened target={target} />}
    </div>
  )
}

/** What is to be known after the press: what to do if nothing opened, and what a second press does. */
export function WasOpened({ target }: { readonly target: ImportTargetView }): ReactNode {
  const t = useTexts('keys')
  const s = useTexts('setup')
  const after = target.warnings.filter((warning) => !isBefore(warning))
  return (
    <Notice isLive>
      {t.importing.fallback}
      {after.map((warning) => (
        <p key={warning} className="mt-1.5">
          {s.warnings[warning]}
        </p>
      ))}
    </Notice>
  )
}

/** Whether a warning stands before the link: a second entry at a second click matters from the first one on. */
function isBefore(warning: ImportTargetView['warnings'][number]): boolean {
  return warning !== 'new_entry_each_time'
}

function isWebAddress({ link }: ImportOption): boolean {
  return /^https?:/i.test(link.encoding === 'template' ? link.template : link.prefix)
}

/**
 * Follows a link that has a secret in it without putting it into the page. Web pages open in a window of their own, and
 * do not learn where one came from; other programs are started by the browser, which says nothing when there is none.
 */
function openLink(link: string): void {
  const anchor = document.createElement('a')
  anchor.href = link
  anchor.rel = 'noopener noreferrer'
  if (/^https?:/i.test(link)) anchor.target = '_blank'
  anchor.click()
  anchor.removeAttribute('href')
}
