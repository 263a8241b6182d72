import { useEffect, useState, type ReactNode } from 'react'
import { useSharedTexts } from '../dictionaries/texts.ts'
import { Button } from './button.tsx'
import { copyText } from './copy-text.ts'
import { IconButton } from './icon-button.tsx'

const SAID_MS = 2_000

/**
 * Copies `text`. With `label` it is a button with words, else an icon named by `what` ("Copy base URL"). That it was
 * copied is shown on it and said aloud.
 */
export function CopyButton(props: {
  /** A function: asked when it is pressed; null: there is nothing to copy just now. */
  readonly text: string | (() => string | null)
  readonly what: string
  readonly label?: string
  readonly look?: 'primary' | 'secondary' | 'quiet'
  /** What is said once it was copied, where that is more than "Copied". */
  readonly copied?: string | undefined
  onCopied?(): void
}): ReactNode {
  const t = useSharedTexts()
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle')
  useEffect(() => {
    if (state === 'idle') return
    const timer = setTimeout(() => setState('idle'), SAID_MS)
    return () => clearTimeout(timer)
  }, [state])
  const copy = async (): Promise<void> => {
    const text = typeof props.text === 'string' ? props.text : props.text()
    const isCopied = text !== null && (await copyText(text))
    setState(isCopied ? 'copied' : 'failed')
    if (isCopied) props.onCopied?.()
  }
  const { copied = t.copied } = props
  const said = { idle: '', copied, failed: t.copyFailed }[state]
  const icon = state === 'copied' ? 'check' : 'copy'
  return (
    <>
      {props.label === undefined ? (
        <IconButton icon={icon} label={props.what} onClick={() => void copy()} />
      ) : (
        <Button icon={icon} look={props.look ?? 'secondary'} aria-label={props.what} onClick={() => void copy()}>
          {/* The width of the longer of both, so that nothing moves; room for a sentence is made when it is said. */}
          <span className="grid justify-items-center">
            <span className={state === 'copied' ? 'invisible [grid-area:1/1]' : '[grid-area:1/1]'}>{props.label}</span>
            {(state === 'copied' || props.copied === undefined) && (
              <span className={state === 'copied' ? '[grid-area:1/1]' : 'invisible [grid-area:1/1]'}>{copied}</span>
            )}
          </span>
        </Button>
      )}
      <span role="status" className="sr-only">
        {said}
      </span>
    </>
  )
}
