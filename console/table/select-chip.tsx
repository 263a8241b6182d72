import { useRef, type ReactNode } from 'react'
import { useSharedTexts } from '../dictionaries/texts.ts'
import { classNames } from '../ui/class-names.ts'
import { Icon } from '../ui/icon.tsx'
import type { SelectChoice } from '../ui/select.tsx'

/**
 * A choice as a chip, as wide as what it says: its name while nothing is chosen, filled and with the value once something
 * is. It is the browser's own select, drawn invisibly above the words. Without `onClear` something always is chosen.
 */
export function SelectChip<Value extends string>(
  props: SelectChoice<Value> & { readonly label: string; onClear?(): void },
): ReactNode {
  const t = useSharedTexts()
  const select = useRef<HTMLSelectElement>(null)
  const { label, value, options, onClear } = props
  const isSet = value !== ''
  const chosen = options.find((option) => option.value === value)?.label ?? value
  const words = isSet ? t.labelled(label, chosen) : label
  const isFilled = isSet && onClear !== undefined
  return (
    <span
      className={classNames(
        'relative inline-flex min-h-8 max-w-full touch:min-h-11 items-center rounded-full border text-sm transition-colors has-[select:focus-visible]:outline-2 has-[select:focus-visible]:outline-offset-1 has-[select:focus-visible]:outline-accent',
        isFilled
          ? 'border-transparent bg-accent-soft font-medium text-accent'
          : 'border-line bg-surface text-ink-2 hover:border-edge hover:text-ink print:hidden',
      )}
    >
      <span aria-hidden="true" className="flex min-w-0 items-center gap-1.5 pl-3">
        <span className="truncate">{words}</span>
        {!isFilled && <Icon name="down" className="mr-2.5 size-3.5 text-ink-3" />}
      </span>
      <select
        ref={select}
        aria-label={label}
        value={value}
        onChange={(event) => props.onValue(event.currentTarget.value as Value)}
        // Phones zoom into smaller fields.
        className="absolute inset-0 size-full appearance-none rounded-full text-ink opacity-0 touch:text-[1rem]"
      >
        {options.map((option) => (
          <option key={option.value} value={option.value} disabled={option.isDisabled}>
            {option.label}
          </option>
        ))}
      </select>
      {isFilled && (
        <button
          type="button"
          aria-label={t.removeItem(words)}
          onClick={() => {
            select.current?.focus()
            onClear()
          }}
          className="relative z-1 ml-0.5 flex size-8 touch:size-11 shrink-0 items-center justify-center rounded-full hover:text-ink"
        >
          <Icon name="close" className="size-3.5" />
        </button>
      )}
    </span>
  )
}
