import { createContext } from 'react'

/** How the filters of a table are drawn: as chips in its bar, or as the fields of a form in the sheet of a phone. */
export type FilterLook = 'chip' | 'field'

export const FilterLookContext = createContext<FilterLook>('chip')
