import type { ReactNode } from 'react'
import type { SetupStep } from '../../../../src/contract/setup.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { fillSnippet } from '../../../setup/fill-snippet.ts'
import { fillPlaceholders, type SetupValues } from '../../../setup/placeholders.ts'
import { BESIDE } from '../../../setup/setup-steps.ts'
import { startupFile } from './detect-system.ts'
import { hasSecret } from './use-set-up-choice.ts'
import { CodeBlock } from '../../../ui/code-block.tsx'
import { CopyField } from '../../../ui/copy-field.tsx'
import { Disclosure } from '../../../ui/disclosure.tsx'

interface StepsProps {
  readonly steps: readonly SetupStep[]
  readonly values: SetupValues
  /** Something with the secret in it was copied, or with the placeholder that stands for it. */
  onCopied?(): void
}

/** Most have the program already; what is to be copied comes first. */
const FOLDED = ['install', ...BESIDE] as const

/** One step below the other; what is not needed for a first message is folded away. */
export function SetUpSteps(props: StepsProps): ReactNode {
  const s = useTexts('setup')
  const now = props.steps.filter(({ purpose }) => !FOLDED.some((each) => each === purpose))
  const folded = (purpose: SetupStep['purpose']): ReactNode => {
    const steps = props.steps.filter((step) => step.purpose === purpose)
    return (
      steps.length > 0 && (
        <Disclosure key={purpose} title={s.purposes[purpose]}>
          <StepList {...props} steps={steps} hasHeadings={false} />
        </Disclosure>
      )
    )
  }
  return (
    <div className="grid grid-cols-1 gap-4">
      <StepList {...props} steps={now} />
      {FOLDED.map(folded)}
    </div>
  )
}

function StepList({ steps, values, onCopied, hasHeadings = true }: StepsProps & { hasHeadings?: boolean }): ReactNode {
  const s = useTexts('setup')
  const copied = onCopied === undefined ? {} : { onCopied }
  return (
    <ol className="grid grid-cols-1 gap-4">
      {steps.map((step, index) => {
        const isFirstOfKind = steps[index - 1]?.purpose !== step.purpose
        return (
          // Steps have no name of their own, and never change places.
          <li key={index} className="min-w-0">
            {hasHeadings && isFirstOfKind && <h3 className="mb-1.5 font-medium">{s.purposes[step.purpose]}</h3>}
            <StepBody step={step} values={values} {...copied} />
            {step.note !== null && <p className="mt-1 text-sm text-ink-3">{s.notes[step.note]}</p>}
          </li>
        )
      })}
    </ol>
  )
}

/** A text to copy, or the fields of a settings page. */
export function StepBody(props: {
  readonly step: SetupStep
  readonly values: SetupValues
  onCopied?(): void
}): ReactNode {
  const t = useTexts('keys')
  const s = useTexts('setup')
  const { step, values } = props
  const copiedOf = (text: string): { readonly copied?: string; onCopied?(): void } => {
    if (!text.includes('{key}')) return {}
    return {
      ...(hasSecret(values) ? {} : { copied: t.setUp.copiedWithout }),
      ...(props.onCopied === undefined ? {} : { onCopied: props.onCopied }),
    }
  }
  if (step.kind !== 'settings') {
    const path = step.note === 'shell_profile' ? startupFile(navigator.userAgent) : step.path
    const title =
      path ?? (step.language === 'bash' ? t.setUp.terminal : (WINDOWS_SHELLS[step.language] ?? step.language))
    return (
      <CodeBlock
        title={title}
        purpose={s.purposes[step.purpose]}
        text={fillSnippet(step, values)}
        {...copiedOf(step.text)}
      />
    )
  }
  return (
    <div className="grid grid-cols-1 gap-3">
      <p>
        <span className="text-ink-3">{t.setUp.where} </span>
        <span className="font-medium">{s.inApp(step.where, step.chinese_where)}</span>
      </p>
      <div className="grid grid-cols-1 gap-3 sm:grid-cols-2">
        {step.fields.map((field) => (
          <CopyField
            key={field.label}
            label={s.inApp(field.label, field.chinese_label)}
            value={fillPlaceholders(field.value, values)}
            {...copiedOf(field.value)}
          />
        ))}
      </div>
    </div>
  )
}

const WINDOWS_SHELLS: Readonly<Record<string, string>> = { powershell: 'PowerShell', cmd: 'cmd' }
