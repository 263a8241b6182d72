/** The words of the star beside a model. */
export const texts = {
  mark: (model: string) => `Favorite: ${model}`,
  marked: 'Remove from favorites',
  notMarked: 'Add to favorites: offered first, and listed in setups',
  most: (count: number) => `You have ${count} favorites. Remove one to add another.`,
}
