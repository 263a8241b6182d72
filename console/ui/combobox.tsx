import { Combobox as Base } from '@base-ui/react/combobox'
import { useCallback, useRef, type ReactNode, type RefObject } from 'react'
import { useSharedTexts } from '../dictionaries/texts.ts'
import { classNames } from './class-names.ts'
import { Icon } from './icon.tsx'
import { landmarkOf } from './landmark.ts'

export interface ComboboxOption {
  readonly value: string
  readonly label: string
  /** A second, quieter line. */
  readonly detail?: ReactNode
  readonly isDisabled?: boolean
}

interface Shared {
  readonly options: readonly ComboboxOption[]
  readonly placeholder?: string
  /** The ID that the `Field` around it gives. */
  readonly id?: string
  readonly 'aria-describedby'?: string | undefined
  readonly 'aria-invalid'?: boolean | undefined
  readonly 'aria-label'?: string
  readonly isDisabled?: boolean
}

/** One of many, found by typing. */
export function Combobox(
  props: Shared & { readonly value: string | null; onValue(value: string | null): void },
): ReactNode {
  const { options, value, onValue, placeholder, isDisabled, ...control } = props
  const [home, findHome] = useHome()
  const chosen = options.find((option) => option.value === value) ?? null
  return (
    <Base.Root
      items={options}
      value={chosen}
      disabled={isDisabled ?? false}
      itemToStringLabel={(option: ComboboxOption) => option.label}
      isItemEqualToValue={(a: ComboboxOption, b: ComboboxOption) => a.value === b.value}
      onValueChange={(option: ComboboxOption | null) => onValue(option?.value ?? null)}
    >
      <div ref={findHome} className="relative">
        <Base.Input {...control} placeholder={placeholder} className="control pr-8" />
        <OpenMark />
      </div>
      <Choices home={home} />
    </Base.Root>
  )
}

/** Any number of many, in the order they were chosen. */
export function MultiCombobox(
  props: Shared & { readonly values: readonly string[]; onValues(values: string[]): void },
): ReactNode {
  const { options, values, onValues, placeholder, isDisabled, ...control } = props
  const t = useSharedTexts()
  const [home, findHome] = useHome()
  const chosen = values.map((value) => options.find((option) => option.value === value) ?? { value, label: value })
  return (
    <Base.Root
      multiple
      items={options}
      value={chosen}
      disabled={isDisabled ?? false}
      itemToStringLabel={(option: ComboboxOption) => option.label}
      isItemEqualToValue={(a: ComboboxOption, b: ComboboxOption) => a.value === b.value}
      onValueChange={(picked: ComboboxOption[]) => onValues(picked.map((option) => option.value))}
    >
      <div ref={findHome} className="relative">
        <Base.Chips className="control flex flex-wrap gap-1 py-1 pr-8 focus-within:border-accent">
          {chosen.map((option) => (
            <Base.Chip
              key={option.value}
              aria-label={option.label}
              className="flex items-center rounded-sm bg-accent-soft pl-1.5 text-sm text-accent"
            >
              {option.label}
              <Base.ChipRemove aria-label={t.removeItem(option.label)} className="px-1 touch:px-2.5 touch:py-1.5">
                <Icon name="close" className="size-3" />
              </Base.ChipRemove>
            </Base.Chip>
          ))}
          <Base.Input
            {...control}
            placeholder={values.length === 0 ? placeholder : ''}
            className="min-w-16 flex-1 bg-transparent outline-none"
          />
        </Base.Chips>
        <OpenMark />
      </div>
      <Choices home={home} />
    </Base.Root>
  )
}

/** Where the choices belong in the document, found from the element that the second part is given to. */
export function useHome(): [RefObject<HTMLElement | null>, (element: HTMLElement | null) => void] {
  const home = useRef<HTMLElement>(null)
  const find = useCallback((element: HTMLElement | null) => {
    home.current = element === null ? null : landmarkOf(element)
  }, [])
  return [home, find]
}

export function OpenMark(): ReactNode {
  const t = useSharedTexts()
  return (
    <Base.Trigger
      aria-label={t.showChoices}
      className="absolute top-0 right-0 flex h-8.5 touch:h-11 w-8 items-center justify-center text-ink-3"
    >
      <Icon name="down" />
    </Base.Trigger>
  )
}

export function Choices({ home }: { readonly home: RefObject<HTMLElement | null> }): ReactNode {
  const t = useSharedTexts()
  return (
    <Base.Portal container={home} className="contents">
      <Base.Positioner sideOffset={4} className="z-50 outline-none">
        <Base.Popup className="popup max-h-[min(20rem,var(--available-height))] w-(--anchor-width) overflow-y-auto overscroll-contain p-1">
          <Base.Empty className="px-2 py-2 text-ink-3 empty:hidden">{t.nothingFound}</Base.Empty>
          <Base.List>
            {(option: ComboboxOption) => (
              <Base.Item
                key={option.value}
                value={option}
                disabled={option.isDisabled ?? false}
                className={classNames(
                  'flex min-h-8.5 touch:min-h-11 items-start gap-2 rounded-md px-2 py-1.5 data-highlighted:bg-accent-soft',
                  option.isDisabled === true && 'text-ink-3',
                )}
              >
                <span className="w-4 pt-0.75">
                  <Base.ItemIndicator>
                    <Icon name="check" className="text-accent" />
                  </Base.ItemIndicator>
                </span>
                <span className="min-w-0 flex-1">
                  <span className="block">{option.label}</span>
                  {option.detail !== undefined && <span className="block text-sm text-ink-3">{option.detail}</span>}
                </span>
              </Base.Item>
            )}
          </Base.List>
        </Base.Popup>
      </Base.Positioner>
    </Base.Portal>
  )
}
