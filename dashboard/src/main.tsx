import { renderPage } from './components/render-page.tsx';
import { StartPage } from './start/StartPage.tsx';

renderPage(<StartPage />);
