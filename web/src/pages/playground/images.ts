import type { Image } from './chat-settings';

/** A request can have 32 MB; base64 takes a third more than the file. */
export const MAX_IMAGE_BYTES = 10 * 1024 ** 2;

export const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'];

export interface ReadImages {
  readonly images: readonly Image[];
  /** Why other files were not accepted. */
  readonly faults: readonly string[];
}

/** The files as images to send; files that no model takes are reported by name. */
export async function readImages(files: readonly File[]): Promise<ReadImages> {
  const faults = files.flatMap((file) => faultOf(file) ?? []);
  const images = await Promise.all(files.filter((file) => faultOf(file) === null).map(toImage));
  return { images, faults };
}

/** 1.4 MB */
export function formatBytes(bytes: number): string {
  return bytes < 1024 ** 2 ? `${Math.max(1, Math.round(bytes / 1024))} kB` : `${(bytes / 1024 ** 2).toFixed(1)} MB`;
}

function faultOf({ name, type, size }: File): string | null {
  if (!IMAGE_TYPES.includes(type)) return `${name} is not a PNG, JPEG, WebP or GIF image.`;
  return size > MAX_IMAGE_BYTES
    ? `${name} is ${formatBytes(size)}; the maximum is ${formatBytes(MAX_IMAGE_BYTES)}.`
    : null;
}

function toImage(file: File): Promise<Image> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () =>
      resolve({
        id: `${file.name}-${file.size}-${performance.now()}`,
        name: file.name,
        url: String(reader.result),
        bytes: file.size,
      });
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}
