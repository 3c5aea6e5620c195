// A Chromium for Linux from npm, for machines that have none: the browser, the libraries it needs and readable fonts.

import {
  chmodSync,
  createReadStream,
  createWriteStream,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress } from 'node:zlib';
import { fetchPackage, provide, unpack } from './cache.mjs';

// Only the packed browser in it is used, none of its code, so that the Node version it asks for does not matter.
const BROWSER = {
  name: '@sparticuz/chromium',
  version: '153.0.0',
  integrity:
    'sha512-jiGWqSvPMdu4+P9TilYqAR7yEGPEHINx+lCvE/NqNO/EHYzF/x1hUiI5T6ioVIt7dEy7n88byyT0vk+dnsgQwA==',
};
// The font that comes with the browser has letters only; these have the symbols (✓ △ ✕ ⊘ ▶) and a monospaced face.
const FONTS = {
  name: 'dejavu-fonts-ttf',
  version: '2.37.3',
  integrity:
    'sha512-f1hd7jJbeQa1VWcw+K2KrTXS50zTMaHpVC4XIKJpNcDeYR5ajMtj/iLlQDYNvLOKamUB3ARVVCf79lNwNVztSQ==',
};
const FACES = [
  'DejaVuSans',
  'DejaVuSans-Bold',
  'DejaVuSans-Oblique',
  'DejaVuSansMono',
  'DejaVuSansMono-Bold',
  'DejaVuSerif',
];
/** Raise when the steps below make something else of the same versions. */
const RECIPE = 1;

/** Whether this machine can run the Chromium from npm. */
export function npmChromiumRuns() {
  return process.platform === 'linux' && process.arch === 'x64';
}

/** The Chromium from npm: its program and the environment it needs. Fetched once, 75 MB. */
export async function ensureChromium({ log = (line) => console.error(line) } = {}) {
  const folder = await provide(
    `chromium-${BROWSER.version}-fonts-${FONTS.version}-r${RECIPE}`,
    async (temporary) => {
      log('Fetching a Chromium (from npm, 75 MB), once …');
      const fetched = await fetchPackage(BROWSER.name, BROWSER.version, BROWSER.integrity, temporary, {
        only: ['bin'],
      });
      for (const file of readdirSync(join(fetched, 'bin')))
        await decompress(join(fetched, 'bin', file), join(temporary, file.replace(/\.br$/, '')));
      rmSync(fetched, { recursive: true });
      chmodSync(join(temporary, 'chromium'), 0o755);
      // swiftshader (drawing without a graphics card) has to lie beside the program; the others have their own folders.
      for (const name of ['swiftshader', 'al2023', 'fonts']) {
        const into = name === 'swiftshader' ? temporary : join(temporary, name);
        mkdirSync(into, { recursive: true });
        await unpack(join(temporary, `${name}.tar`), into);
        rmSync(join(temporary, `${name}.tar`));
      }
      const faces = FACES.map((face) => `ttf/${face}.ttf`);
      const fonts = await fetchPackage(FONTS.name, FONTS.version, FONTS.integrity, temporary, {
        only: faces,
      });
      renameSync(join(fonts, 'ttf'), join(temporary, 'fonts', 'dejavu'));
      rmSync(fonts, { recursive: true });
      writeFileSync(join(temporary, 'fonts', 'fonts.conf'), FONTCONFIG);
    },
  );
  const libraries = [join(folder, 'al2023', 'lib'), process.env.LD_LIBRARY_PATH].filter(Boolean).join(':');
  return {
    program: join(folder, 'chromium'),
    env: { LD_LIBRARY_PATH: libraries, FONTCONFIG_FILE: join(folder, 'fonts', 'fonts.conf') },
  };
}

async function decompress(from, to) {
  await pipeline(createReadStream(from), createBrotliDecompress(), createWriteStream(to));
}

/** The bundled fonts come first, so that a page looks the same on every machine; the machine's own fill the gaps. */
const FONTCONFIG = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <dir prefix="relative">.</dir>
  <dir>/usr/share/fonts</dir>
  <dir>/usr/local/share/fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
${[
  ['sans-serif', 'Open Sans', 'DejaVu Sans'],
  ['system-ui', 'Open Sans', 'DejaVu Sans'],
  ['serif', 'DejaVu Serif', 'DejaVu Sans'],
  ['monospace', 'DejaVu Sans Mono', 'DejaVu Sans'],
]
  .map(
    ([family, ...faces]) =>
      `  <alias binding="strong"><family>${family}</family><prefer>${faces.map((face) => `<family>${face}</family>`).join('')}</prefer></alias>`,
  )
  .join('\n')}
</fontconfig>
`;
