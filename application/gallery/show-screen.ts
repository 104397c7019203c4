import type { Screen } from '../../domain/gallery/screen.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import type { Gallery } from '../../ports/outbound/gallery.ts';

export type Ports = { gallery: Gallery };

/** `id` is null where the request names none that could be an id. */
export const showScreen =
  ({ gallery }: Ports) =>
  async (id: number | null): Promise<Outcome<Screen, 'not_found'>> => {
    const screen = id === null ? undefined : await gallery.screen(id);
    return screen
      ? ok(screen)
      : refuse('not_found', { message: 'There is no such screen. Take an id from the list of screens.' });
  };

export type ShowScreen = ReturnType<typeof showScreen>;
